import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { Type } from 'typebox'
import { type ApiResponse, assertError, callApi } from '../../../../test/harness/installation/api-client.ts'
import { sharedInstallation } from '../../../../test/harness/installation/shared-installation.ts'
import { until, waitingForLocks } from '../../../../test/harness/wait.ts'
import { CredentialCache } from '../../../access/credentials/credential-cache.ts'
import { OidcProviders } from '../../../access/sign-in/oidc-providers.ts'
import { AuditTrail } from '../../../records/audit/audit-trail.ts'
import { systemClock } from '../../base/clock.ts'
import { createLogger } from '../../base/log.ts'
import { versionsIn } from '../../base/versions.ts'
import { TargetRules } from '../../outbound/target-rules.ts'
import { CacheInvalidations } from '../../postgres/cells/cache-invalidations.ts'
import { Placement } from '../../postgres/cells/placement.ts'
import { sql } from '../../postgres/sql.ts'
import { Vaults } from '../../postgres/vault.ts'
import { operation } from '../declare/operation.ts'
import { createSpool } from '../declare/spool.ts'
import { InMemoryWindow } from '../rate-limit/in-memory-window.ts'
import { addressBucket, RateLimiter } from '../rate-limit/rate-limit.ts'
import { integratorPrefixes } from '../server/routes.ts'
import { createServer } from '../server/server.ts'
import { issueToken } from './access-token.ts'

/**
 * Operations that fail, hang or take a key, which no operation of the API does on purpose. They are declared like any
 * other, and the real pipeline serves them from the real database.
 */
const Nothing = Type.Object({})
const declared = {
  scopes: ['order.read'],
  params: Nothing,
  success: { status: 200, body: Nothing },
  errors: [],
} as const
const faults = [
  operation({ ...declared, id: 'bug', summary: '', method: 'GET', path: '/bug', idempotency: 'none' }, async () => {
    throw new Error('select secret from the_table')
  }),
  operation(
    { ...declared, id: 'sqlBug', summary: '', method: 'GET', path: '/sql-bug', idempotency: 'none' },
    async (_, { tx }) => {
      await tx.rows(sql`select secret_column from cell.tenant`)
      return {}
    },
  ),
  ...(['GET', 'POST'] as const).map((method) =>
    operation(
      { ...declared, id: `hang${method}`, summary: '', method, path: '/hang', idempotency: 'none' },
      async (_, { tx }) => {
        await tx.rows(sql`select pg_advisory_xact_lock(4711)`)
        return {}
      },
    ),
  ),
  operation(
    { ...declared, id: 'quick', summary: '', method: 'GET', path: '/quick', idempotency: 'none' },
    async (_, { tx }) => {
      await tx.rows(sql`select 1`)
      return {}
    },
  ),
  operation(
    { ...declared, id: 'keyed', summary: '', method: 'POST', path: '/keyed', idempotency: 'required' },
    async () => ({}),
  ),
  operation(
    { ...declared, id: 'mayKey', summary: '', method: 'POST', path: '/may-key', idempotency: 'optional' },
    async () => ({}),
  ),
]

describe('pipeline', async () => {
  const window = new InMemoryWindow()
  const logged: string[] = []
  const log = createLogger('info', 'test', { write: (line) => void logged.push(line) })

  const installation = await sharedInstallation({ DATABASE_LOCK_TIMEOUT_SECONDS: '5' })
  const { databases, config } = installation
  const knownCredentials = new CredentialCache(databases, new CacheInvalidations(databases, log))
  const app = await createServer({
    operations: faults,
    prefixes: integratorPrefixes,
    services: {
      databases,
      placement: new Placement(databases),
      tokenSigningKeys: config.tokenSigningKeys,
      secretPeppers: config.secretPeppers,
      rateLimiter: new RateLimiter(undefined, window, log),
      versions: versionsIn({ environment: 'development', releasedVersions: [] }),
      credentialOf: (clientId) => knownCredentials.find(clientId),
      identityProviders: new OidcProviders(new Map(), log),
      operatorAgain: async () => undefined,
      operatorOfToken: async () => undefined,
      tokenIdOf: () => undefined,
      operatorOfSession: async () => undefined,
      colleaguesOf: async () => [],
      callerNamesOf: async () => new Map(),
      announceApproval: async () => undefined,
      auditOf: (actor) => new AuditTrail(actor),
      vaults: new Vaults(config.dataMasterKeys),
      targets: new TargetRules(config),
      clock: systemClock,
      environment: 'development',
      isLive: false,
      publicBaseUrl: undefined,
      walletProofUrl: config.walletProofUrl,
      spool: createSpool(),
      askContractWallet: async () => undefined,
    },
    health: { isDraining: () => false, check: async () => ({ status: 'ready', checks: {} }) },
    config: {
      ...config,
      requestsInFlightMax: 5,
      requestsPerCellMax: 3,
      requestsPerTenantMax: 3,
      requestsPerCallerMax: 3,
      eventLoopDelayMaxMs: 10_000,
    },
    log,
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const address = app.server.address()
  const baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const tenantId = await installation.createTenant('A')
  const { clientId } = await installation.issueCredential(tenantId, { requestsPerMinute: 1_000 })
  const claims = {
    clientId,
    tenantId,
    scopes: ['order.read' as const],
    apiVersion: '2026-07-02',
    issuedAt: Math.floor(Date.now() / 1000),
  }
  const token = (await issueToken(config.tokenSigningKeys, claims)).token
  after(() => app.close())
  after(() => installation.end())

  const call = (method: string, path: string, headers: Record<string, string> = {}): Promise<ApiResponse> =>
    callApi(baseUrl, method, path, { token, headers })

  test('R231: a bug is a 500 that shows nothing internal, and is logged without its message', async () => {
    for (const path of ['/bug', '/sql-bug']) {
      const response = await call('GET', path)
      assertError(response, 500, 'internal_error')
      assert.doesNotMatch(response.text, /secret|select|Error|at |\.ts/)
      assert.match(response.body.error.message, /X-Request-Id/)
    }
    const entries = logged.filter((line) => line.includes('request failed'))
    assert.equal(entries.length, 2)
    for (const entry of entries) {
      assert.doesNotMatch(entry, /secret/)
      assert.match(entry, /"stack":".*pipeline\.test\.ts|"code":"42703"/)
    }
  })

  test('R208, R209: a required key has 1 to 128 characters, and its header name any letter case', async () => {
    assertError(await call('POST', '/keyed'), 400, 'validation_failed')
    for (const [key, status] of [
      ['', 400],
      ['  ', 400],
      ['k', 200],
      ['k'.repeat(128), 200],
      ['k'.repeat(129), 400],
    ] as const)
      for (const name of ['X-Idempotency-Key', 'x-idempotency-key', 'X-IDEMPOTENCY-KEY'])
        assert.equal((await call('POST', '/keyed', { [name]: key })).status, status, `${name}: ${key.length}`)
    const missing = await call('POST', '/keyed')
    assert.equal(missing.body.error.errors[0].header, 'X-Idempotency-Key')
  })

  test('Q049: an optional key may be absent; if present it has 1 to 128 characters', async () => {
    assert.equal((await call('POST', '/may-key')).status, 200)
    assert.equal((await call('POST', '/may-key', { 'x-idempotency-key': 'k'.repeat(129) })).status, 400)
    assert.equal((await call('POST', '/may-key', { 'x-idempotency-key': '' })).status, 400)
  })

  test('the 429 of a flooding address is the same without a token, with a bad one and for HEAD', async () => {
    const localAddress = '127.0.0.9'
    const bucket = addressBucket(localAddress)
    for (let count = 0; count < bucket.limit; count += 1) window.record(bucket)
    const send = async (method: string, headers: Record<string, string>, path = '/api/may-key') => {
      const request = httpRequest(baseUrl + path, { method, headers, localAddress }).end()
      const [response] = (await once(request, 'response')) as [IncomingMessage]
      const { date: _, 'x-request-id': requestId, 'retry-after': retryAfter, ...others } = response.headers
      assert.match([requestId, retryAfter].join(' '), /^[0-9a-f-]{36} \d+$/)
      const body = (await text(response)).replace(/Retry in \d+ s/, 'Retry in N s')
      return { status: response.statusCode, headers: others, body }
    }
    const withBadToken = await send('POST', { authorization: 'Bearer x' })
    assert.equal(withBadToken.status, 429)
    assert.deepEqual(await send('POST', {}), withBadToken)
    const page = await send('GET', { authorization: 'Bearer x' }, '/api/bug')
    assert.deepEqual(await send('GET', {}, '/api/bug'), page)
    assert.deepEqual(await send('HEAD', {}, '/api/bug'), { ...page, body: '' })
    const wasLogged = logged.filter((line) => line.includes(localAddress) && line.includes('rate_limited'))
    assert.equal(wasLogged.length, 1)
    assertError(await callApi(baseUrl, 'GET', '/bug'), 401, 'token_missing')
  })

  test('above the limit of requests in flight the response is 503, and health checks still work', async () => {
    await installation.owner(async (client) => {
      await client.query('select pg_advisory_lock(4711)')
      const waiting = ['POST', 'POST', 'POST', 'GET', 'GET'].map((method) => call(method, '/hang'))
      await until('five requests hang', async () => (await waitingForLocks(installation)) === 5)
      const rejected = await call('GET', '/hang')
      assertError(rejected, 503, 'unavailable')
      assert.match(rejected.headers.get('retry-after') ?? '', /^\d+$/)
      assert.equal((await fetch(`${baseUrl}/livez`)).status, 200)
      await client.query('select pg_advisory_unlock(4711)')
      for (const response of await Promise.all(waiting)) assert.equal(response.status, 200)
    })
    assert.equal((await call('POST', '/hang')).status, 200)
  })

  test('writes above the limit of a cell get 503 before they are counted or run, and its reads are served', async () => {
    const areHanging = async () => (await waitingForLocks(installation)) === 3
    assert.equal((await call('GET', '/quick')).status, 200)
    await installation.owner(async (client) => {
      await client.query('select pg_advisory_lock(4711)')
      const waiting = Array.from({ length: 3 }, () => call('POST', '/hang'))
      await until('three writes hang', areHanging)
      const linesBefore = logged.length
      const rejected = await call('POST', '/hang')
      assertError(rejected, 503, 'unavailable')
      assert.equal(rejected.headers.get('retry-after'), '2')
      assert.equal(rejected.headers.get('ratelimit'), null)
      assert.equal(rejected.headers.get('x-content-type-options'), 'nosniff')
      // All slots are in use, so the token is not even read.
      assertError(await callApi(baseUrl, 'POST', '/hang'), 503, 'unavailable')
      assertError(await callApi(baseUrl, 'GET', '/quick'), 401, 'token_missing')
      const rejections = logged.slice(linesBefore).filter((line) => line.includes('"code":"unavailable"'))
      assert.ok(rejections.length <= 1, 'an address is logged once a minute')
      assert.equal((await call('GET', '/quick')).status, 200)
      assert.ok(await areHanging())
      await client.query('select pg_advisory_unlock(4711)')
      for (const response of await Promise.all(waiting)) assert.equal(response.status, 200)
    })
    assert.equal((await call('POST', '/hang')).status, 200)
  })

  test('a request that exceeds the lock timeout is 503, and its connection is reused', async () => {
    await installation.owner(async (client) => {
      await client.query('select pg_advisory_lock(4711)')
      assertError(await call('POST', '/hang'), 503, 'unavailable')
      await client.query('select pg_advisory_unlock(4711)')
    })
    assert.equal((await call('POST', '/hang')).status, 200)
  })
})
