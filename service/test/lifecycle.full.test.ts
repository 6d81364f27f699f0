import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { IssuedCredential } from '../src/access/credentials/issue-credential.ts'
import { scopes } from '../src/platform/api/declare/scopes.ts'
import { issueToken } from '../src/platform/api/pipeline/access-token.ts'
import { Fixtures } from './harness/data/fixtures.ts'
import { freePort } from './harness/installation/process.ts'
import type { RunningApi } from './harness/installation/running-api.ts'
import { TestInstallation } from './harness/installation/test-installation.ts'
import { WebhookReceiver } from './harness/servers/webhook-receiver.ts'
import { until } from './harness/wait.ts'

describe('process lifecycle', async () => {
  const installation = await TestInstallation.create()
  after(() => installation.end())
  const tenantId = await installation.createTenant('A')
  const path = `/offerings/${await new Fixtures(installation).offering(tenantId)}`

  test('/livez and /readyz need no token and name nothing; the log and metrics show what is not ready', async () => {
    const own = await TestInstallation.create()
    try {
      const metricsPort = await freePort()
      const api = await own.startApiProcess({ METRICS_PORT: String(metricsPort) })
      const body = async (probe: string) => (await fetch(api.baseUrl + probe)).json()
      assert.deepEqual(await body('/livez'), { status: 'alive' })
      assert.deepEqual(await body('/readyz'), { status: 'ok', versions: ['2026-07-02'] })
      await api.reports(200, 'ready', { directory: 'ok', 'cell main': 'ok', redis: 'ok', migrations: 'current' })
      await own.rows('delete from cell.migration')
      await api.reports(503, 'unavailable', { migrations: 'behind' })
      assert.deepEqual(await body('/readyz'), { status: 'not ready', versions: ['2026-07-02'] })
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
      assert.match(text, /readiness_check\{[^}]*check="migrations"[^}]*\} 0/)
      assert.match(text, /readiness_check\{[^}]*check="cell main"[^}]*\} 0/)
      assert.match(text, /readiness_check\{[^}]*check="directory"[^}]*\} 1/)
    } finally {
      await own.end()
    }
  })

  test('SIGTERM: /readyz is no longer ready, accepted requests complete, then the process exits with 0', async () => {
    const api = await installation.startApiProcess({ DRAIN_SECONDS: '4' })
    const credential = await installation.issueCredential(tenantId, { requestsPerMinute: 1_000 })
    const token = await api.token(credential)
    const unfinished = await Promise.all(Array.from({ length: 5 }, () => beginAuth(api, credential)))
    const exited = api.process.stop()
    await api.reports(503, 'draining')
    const during = await api.call('GET', path, { token })
    assert.equal(during.status, 200)
    assert.equal(during.headers.get('connection'), 'close')
    const isRefused = () =>
      fetch(`${api.baseUrl}/livez`).then(
        () => false,
        () => true,
      )
    await until('the process accepts no more connections', isRefused)
    for (const finish of unfinished) assert.equal(await finish(), 200)
    assert.equal(await exited, 0)
  })

  test('SIGTERM under load: no request on any connection is interrupted', async () => {
    const api = await installation.startApiProcess({ DRAIN_SECONDS: '3' })
    const token = await api.token(await installation.issueCredential(tenantId, { requestsPerMinute: 60_000 }))
    const statuses: number[] = []
    let isDraining = false
    const clients = Array.from({ length: 8 }, async () => {
      while (!isDraining) statuses.push((await api.call('GET', path, { token })).status)
    })
    await until('the load is running', () => statuses.length > 100)
    const exited = api.process.stop()
    await api.process.logged('draining')
    await sleep(500)
    isDraining = true
    await Promise.all(clients)
    assert.equal(await exited, 0)
    assert.deepEqual([...new Set(statuses)], [200])
  })

  test('the line that says where a process listens does not wait for others', async () => {
    // Buffered lines are written each second. Here that interval never ends.
    const preload = `const start = setInterval
      globalThis.setInterval = (run, ms, ...rest) => start(run, ms === 1000 ? 2 ** 31 - 1 : ms, ...rest)`
    const api = await installation.startApiProcess({}, [`data:text/javascript,${encodeURIComponent(preload)}`])
    assert.equal((await api.call('GET', '/offerings')).status, 401)
  })

  test('metrics are on a separate address and port, labelled by operation and status, and never by tenant', async () => {
    const metricsPort = await freePort()
    const api = await installation.startApiProcess({ METRICS_HOST: '127.0.0.2', METRICS_PORT: String(metricsPort) })
    const token = await api.token(await installation.issueCredential(tenantId))
    await api.call('GET', path, { token })
    const text = await (await fetch(`http://127.0.0.2:${metricsPort}/metrics`)).text()
    assert.match(text, /http_server_request_duration_count\{[^}]*operation="getOffering"[^}]*status="200"[^}]*\} 1/)
    assert.match(text, /nodejs_eventloop/)
    assert.doesNotMatch(text, new RegExp(tenantId))
    assert.equal((await fetch(`${api.baseUrl}/metrics`)).status, 404)
    await assert.rejects(fetch(`http://127.0.0.1:${metricsPort}/metrics`))
  })

  test('traces go to the configured endpoint, with the route and the statements but without values, ids, queries or errors', async () => {
    const collector = await WebhookReceiver.open()
    collector.respond('/v1/traces', 200)
    const received = () => collector.messages.map(({ text }) => text).join()
    const api = await installation.startApiProcess({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
    const credential = await installation.issueCredential(tenantId)
    const token = await api.token(credential)
    const canary = 'ada.lovelace@example.com'
    await api.call('GET', `${path}?q=${canary}`, { token })
    await api.call('GET', `/offerings/${canary}`, { token })
    await api.call('GET', `/${canary}`, { token })
    await api.call('GET', path, { token })
    await until('spans of the route and of its statement arrive', () => {
      const all = received()
      return all.includes('/api/offerings/:offeringId') && all.includes('from cell.offering')
    })
    // Spans are sent in batches; the last ones leave during shutdown.
    assert.equal(await api.process.stop(), 0)
    for (const value of [credential.clientSecret, token, canary, 'lovelace', path.split('/').at(-1) ?? ''])
      assert.ok(!received().includes(value), value)
    await collector.close()
  })

  test('a failed sign-in is logged with the source address and the presented id', async () => {
    const api = await installation.startApiProcess()
    const operatorApi = await installation.startOperatorApiProcess()
    const credential = await installation.issueCredential(tenantId)
    const operator = await installation.createOperator(tenantId)
    const stranger = await installation.createOperator(tenantId)
    const expired = await issueToken(installation.config.tokenSigningKeys, {
      clientId: credential.clientId,
      tenantId,
      scopes: ['order.read'],
      apiVersion: '2026-07-02',
      issuedAt: Math.floor(Date.now() / 1000) - 700,
    })
    await api.auth({ ...credential, clientSecret: 'wrong' })
    await api.call('GET', path, { token: expired.token })
    await api.call('GET', path)
    const wrongSecret = `${operator.token.slice(0, -4)}AAAA`
    await operatorApi.call('GET', '/orders', { token: wrongSecret })
    await installation.rows('update directory.personal_token set revoked_at = now() where id = $1', [stranger.tokenId])
    await operatorApi.call('GET', '/orders', { token: stranger.token })
    await Promise.all([api.process.stop(), operatorApi.process.stop()])
    const failures = [...api.process.output, ...operatorApi.process.output]
      .filter((line) => line.includes('"status":401'))
      .map((line) => JSON.parse(line) as Record<string, string>)
      .map(({ code, source_address, client_id, token_id }) => [code, source_address, client_id ?? token_id])
    assert.deepEqual(failures, [
      ['invalid_client', '127.0.0.1', credential.clientId],
      ['token_expired', '127.0.0.1', credential.clientId],
      ['token_missing', '127.0.0.1', undefined],
      ['token_invalid', '127.0.0.1', operator.tokenId],
      ['token_revoked', '127.0.0.1', stranger.tokenId],
    ])
  })

  test('no secret, token or body appears in the log, whatever fails', async () => {
    const api = await installation.startApiProcess({ LOG_LEVEL: 'debug' })
    const credential = await installation.issueCredential(tenantId)
    const canary = 'canary-7f3a'
    const token = await api.token(credential)
    await api.auth({ ...credential, clientSecret: canary })
    await api.call('POST', '/auth', { body: { client_id: canary, client_secret: canary, scopes: [canary] } })
    await api.call('GET', `${path}?${canary}=1`, { token })
    await api.call('GET', `/offerings/${canary}`, {
      token,
      headers: { 'x-canary': canary, authorization: `Bearer ${canary}` },
    })
    await api.call('GET', `/${canary}`)
    const raw = httpRequest(`${api.baseUrl}/api/%zz${canary}`).end()
    const [response] = (await once(raw, 'response')) as [{ resume(): void }]
    response.resume()
    await api.process.stop()
    const log = api.process.output.join('\n')
    assert.ok(log.length > 1_000)
    for (const secret of [canary, credential.clientSecret, token, token.split('.')[2] ?? 'x'])
      assert.deepEqual(
        log.split('\n').filter((line) => line.includes(secret)),
        [],
      )
  })
})

/**
 * Sends the headers of POST /auth and waits until the API has accepted the request (100 Continue). The result sends the
 * body and returns the status.
 */
async function beginAuth(
  api: RunningApi,
  { clientId, clientSecret }: IssuedCredential,
): Promise<() => Promise<number | undefined>> {
  const request = httpRequest(`${api.baseUrl}/api/auth`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', expect: '100-continue' },
  })
  request.flushHeaders()
  await once(request, 'continue')
  return async () => {
    const received = once(request, 'response') as Promise<[IncomingMessage]>
    request.end(JSON.stringify({ client_id: clientId, client_secret: clientSecret, scopes }))
    const [response] = await received
    response.resume()
    return response.statusCode
  }
}
