import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import pg from 'pg'
import { assertError } from './harness/installation/api-client.ts'
import { ownerRows } from './harness/installation/database.ts'
import { startProcess } from './harness/installation/process.ts'
import { TestInstallation } from './harness/installation/test-installation.ts'
import { createProvider, stripeHeaders, stripeSecret } from './harness/servers/payment-provider.ts'
import { until } from './harness/wait.ts'

const settings = {
  PUBLIC_BASE_URL: 'https://api.example.com',
  OPERATOR_BASE_URL: 'https://operators.example.com',
  WALLET_PROOF_URL: 'https://invest.example.com',
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'a@b.example',
}

describe('environments', async () => {
  const logins: string[] = []

  const installation = await TestInstallation.create(settings)
  after(async () => {
    const server = new URL(installation.config.databaseUrl)
    await installation.end()
    server.pathname = '/postgres'
    for (const login of logins) await ownerRows(server.href, `drop role ${login}`)
  })

  /** Creates a login with only these attributes and roles, and returns the URL with which it connects. */
  async function urlOfLogin(attributes: string, ...roles: string[]): Promise<string> {
    const url = new URL(installation.config.databaseUrl)
    url.username = `login_${logins.length}_${url.pathname.slice(1)}`
    url.password = 'plain'
    logins.push(url.username)
    const grants = roles.map((role) => `grant ${role} to ${url.username};`).join(' ')
    await installation.rows(`create role ${url.username} login ${attributes} password 'plain'; ${grants}`)
    return url.href
  }
  const app = 'investor_token_app'
  const worker = 'investor_token_worker'
  const startApi = (DATABASE_URL: string, ENVIRONMENT = 'live') =>
    installation.startApiProcess({ ENVIRONMENT, DATABASE_URL, DRAIN_SECONDS: '0' })

  const send = async (baseUrl: string, path: string, init: RequestInit) => {
    const response = await fetch(baseUrl + path, init)
    // oxlint-disable-next-line typescript/no-explicit-any -- a test inspects any response
    return { status: response.status, headers: response.headers, body: (await response.json()) as any }
  }

  const versionsOf = async ({ baseUrl }: { baseUrl: string }) => (await send(baseUrl, '/readyz', {})).body.versions

  for (const ENVIRONMENT of ['staging', 'live'])
    test(`R251, Q130: ${ENVIRONMENT} serves no version by default (auth: 400, tokens: 401) and has no simulations`, async () => {
      const tenantId = await installation.createTenant('A')
      const credential = await installation.issueCredential(tenantId)
      const development = await installation.startApiProcess()
      const token = await development.token(credential)
      const api = await startApi(await urlOfLogin('noinherit', app), ENVIRONMENT)
      const body = { client_id: credential.clientId, client_secret: credential.clientSecret, scopes: ['order.read'] }
      for (const change of [{}, { api_version: '2026-07-02' }]) {
        const response = await send(api.baseUrl, '/api/auth', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ ...body, ...change }),
        })
        assert.equal(response.status, 400)
        assert.equal(response.body.error.code, 'validation_failed')
        assert.equal(response.body.error.errors[0].pointer, '/api_version')
        assert.equal(response.headers.get('st-api-version'), null)
        assert.equal(response.headers.get('st-api-version-beta'), null)
      }
      const call = await send(api.baseUrl, `/api/offerings/${crypto.randomUUID()}`, {
        headers: { authorization: `Bearer ${token}` },
      })
      assert.equal(call.status, 401)
      const simulation = await send(api.baseUrl, '/api/simulations/transfers', { method: 'POST' })
      assert.equal(simulation.body.error.code, 'route_not_found')
      await api.reports(200, 'ready')
      assert.deepEqual(await versionsOf(api), [])
      const { level } = await api.process.logged(
        'no contract version is served, so no token can be issued: release one with RELEASED_VERSIONS',
      )
      assert.equal(level, 'warn')
    })

  for (const [ENVIRONMENT, livemode] of [
    ['development', false],
    ['staging', false],
    ['live', true],
  ] as const)
    test(`${ENVIRONMENT} accepts payments from Stripe only with livemode ${livemode}, and logs others`, async () => {
      const tenantId = await installation.createTenant('A')
      const { id, secret } = await createProvider(installation, tenantId, { kind: 'stripe', secret: stripeSecret })
      const api = await startApi(await urlOfLogin('noinherit', app), ENVIRONMENT)
      const notify = (mode: boolean) => {
        const object = { id: `pi_${mode}`, amount_received: 100, currency: 'eur' }
        const event = { type: 'payment_intent.succeeded', livemode: mode, created: 1_782_986_400, data: { object } }
        const body = JSON.stringify(event)
        const headers = { 'content-type': 'application/json', ...stripeHeaders(body, secret) }
        return send(api.baseUrl, `/api/payment-notifications/${id}`, { method: 'POST', headers, body })
      }
      assert.equal((await notify(livemode)).status, 200)
      const rejected = await notify(!livemode)
      assert.deepEqual([rejected.status, rejected.body.error.code], [400, 'payment_mode_mismatch'])
      assert.match(rejected.body.error.message, new RegExp(`livemode must be ${livemode}`))
      const rows = await installation.rows(
        'select provider_reference from cell.unassigned_payment where tenant_id = $1',
        [tenantId],
      )
      assert.deepEqual(rows, [{ provider_reference: `pi_${livemode}` }])
      await until('it is logged', () => api.process.output.join().includes('"code":"payment_mode_mismatch"'))
    })

  test('Q130: a version that an installation releases is served in live, still as beta and without simulations', async () => {
    const credential = await installation.issueCredential(await installation.createTenant('A'))
    const api = await installation.startApiProcess({
      ENVIRONMENT: 'live',
      DATABASE_URL: await urlOfLogin('noinherit', app),
      DRAIN_SECONDS: '0',
      RELEASED_VERSIONS: '2026-07-02',
    })
    // Each call also asserts the version headers.
    const token = await api.token(credential)
    assert.equal((await api.call('GET', '/offerings', { token })).status, 200)
    assertError(await api.call('POST', '/simulations/transfers', { token, body: {} }), 404, 'route_not_found')
    assert.deepEqual(await versionsOf(api), ['2026-07-02'])
    assert.ok(api.process.output.every((line) => !line.includes('RELEASED_VERSIONS')))
  })

  test('outside development, a process with a privileged database login is not ready', async () => {
    assert.equal((await (await startApi(installation.config.databaseUrl)).health()).httpStatus, 503)
  })

  test('outside development, the service rejects a login that could do more than its role', async () => {
    for (const [url, problem] of [
      [await urlOfLogin('noinherit', app, worker), 'may use both roles of the service'],
      [await urlOfLogin('inherit', app), 'inherits investor_token_app'],
      [await urlOfLogin('noinherit', app, 'pg_read_all_data'), 'bypasses row-level security or owns tables'],
    ] as const) {
      const api = await startApi(url)
      assert.equal((await api.health()).httpStatus, 503, problem)
      await until(`the log says: ${problem}`, () => api.process.output.some((line) => line.includes(problem)))
    }
  })

  test('a login gets nothing by resetting its role or taking the role of the other processes', async () => {
    for (const [own, other] of [
      [app, worker],
      [worker, app],
    ] as const) {
      const client = new pg.Client({ connectionString: await urlOfLogin('noinherit', own), options: `-c role=${own}` })
      await client.connect()
      try {
        await client.query('select status from cell.token_order')
        await assert.rejects(client.query(`set role ${other}`), { code: '42501' })
        await client.query('set role none')
        for (const table of ['cell.token_order', 'cell.event', 'cell.chain_signer', 'graphile_worker.jobs'])
          await assert.rejects(client.query(`select from ${table}`), { code: '42501' }, table)
      } finally {
        await client.end()
      }
    }
  })

  test('outside development, a worker needs a login for the job queue and works with both logins', async () => {
    const given = { ENVIRONMENT: 'live', DATABASE_URL: await urlOfLogin('noinherit', app) }
    const missing = startProcess('worker', { ...installation.settings, ...given })
    assert.equal(await missing.ended, 1)
    assert.match(missing.output.join(), /^WORKER_DATABASE_URL is missing/)
    await installation.startWorkerProcess({ ...given, WORKER_DATABASE_URL: await urlOfLogin('noinherit', worker) })
  })
})
