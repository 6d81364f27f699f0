import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type ApiResponse, assertError } from '../../../../test/harness/api-client.ts'
import { Fixtures } from '../../../../test/harness/fixtures.ts'
import { RedisServer } from '../../../../test/harness/redis-server.ts'
import { type RunningApi, TestInstallation } from '../../../../test/harness/service.ts'
import { until } from '../../../../test/harness/wait.ts'
import { InMemoryWindow } from './in-memory-window.ts'

describe('rate limit', () => {
  let installation: TestInstallation
  let redis: RedisServer
  let first: RunningApi
  let second: RunningApi
  let tenantId: string
  let path: string

  before(async () => {
    redis = await RedisServer.start()
    installation = await TestInstallation.create({ REDIS_URL: redis.url, TRUSTED_PROXIES: '127.0.0.1' })
    ;[first, second] = await Promise.all([installation.startApi(), installation.startApi()])
    tenantId = await installation.createTenant('A')
    path = `/offerings/${await new Fixtures(installation).offering(tenantId)}`
  })
  after(async () => {
    await installation.end()
    await redis.stop()
  })

  const countOf = (responses: ApiResponse[], status: number) =>
    responses.filter((response) => response.status === status).length

  test('R234, R238: of 60 concurrent requests to two processes exactly 30 are accepted, auth included', async () => {
    const credential = await installation.issueCredential(tenantId)
    const token = await first.token(credential)
    const responses = await Promise.all(
      Array.from({ length: 60 }, (_, index) => (index % 2 ? first : second).call('GET', path, { token })),
    )
    assert.equal(countOf(responses, 200), 29)
    assert.equal(countOf(responses, 429), 31)
    for (const response of responses.filter(({ status }) => status === 429)) assertError(response, 429, 'rate_limited')
  })

  test('R238: of 60 concurrent requests with an existing token exactly 30 are accepted', async () => {
    const credential = await installation.issueCredential(tenantId)
    const token = await first.token(credential)
    await redis.forget(credential.clientId)
    const responses = await Promise.all(
      Array.from({ length: 60 }, (_, index) => (index % 2 ? first : second).call('GET', path, { token })),
    )
    assert.deepEqual([countOf(responses, 200), countOf(responses, 429)], [30, 30])
  })

  test('R002, R235, R236: one bucket per credential for all its tokens, prefixes, methods and errors', async () => {
    const credential = await installation.issueCredential(tenantId, { scopes: ['order.read', 'offering.read'] })
    const neighbour = await installation.issueCredential(tenantId)
    const [token, otherToken] = [
      await first.token(credential, ['order.read']),
      await first.token(credential, ['offering.read']),
    ]
    const calls = [
      () => first.call('GET', path, { token: otherToken }),
      () => second.call('GET', path, { token: otherToken, prefix: '/_api' }),
      () => first.call('GET', path, { token }), // 403
      () => first.call('GET', '/offerings/x', { token: otherToken }), // 400
      () => second.call('GET', `/offerings/${crypto.randomUUID()}`, { token: otherToken }), // 404
      () => first.auth(credential, ['wallet.read']), // 403
    ]
    const seen: number[] = []
    for (let count = 0; count < 28; count++) seen.push((await calls[count % calls.length]?.())?.status ?? 0)
    assert.deepEqual([...new Set(seen)].toSorted(), [200, 400, 403, 404])
    assertError(await first.call('GET', path, { token: otherToken }), 429, 'rate_limited')
    assertError(await second.auth(credential, ['order.read']), 429, 'rate_limited')
    assert.equal((await first.auth(neighbour)).status, 200)
  })

  test('R240, Q127: the headers show the remaining quota, and a 429 has Retry-After', async () => {
    const credential = await installation.issueCredential(tenantId, { requestsPerMinute: 3 })
    const token = await first.token(credential)
    const accepted = await first.call('GET', path, { token })
    assert.equal(accepted.headers.get('ratelimit-policy'), '"credential";q=3;w=60')
    assert.match(accepted.headers.get('ratelimit') ?? '', /^"credential";r=1;t=(59|60)$/)
    assert.equal(accepted.headers.get('retry-after'), null)
    await first.call('GET', path, { token })
    const rejected = await first.call('GET', path, { token })
    assertError(rejected, 429, 'rate_limited')
    const seconds = Number(rejected.headers.get('retry-after'))
    assert.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60, `Retry-After: ${seconds}`)
    assert.match(rejected.headers.get('ratelimit') ?? '', /^"credential";r=0;t=\d+$/)
  })

  test('the policy of an operator user is named after the personal access token', async () => {
    const operatorApi = await installation.startOperatorApi()
    const { token } = await installation.createOperator(tenantId)
    const { headers } = await operatorApi.call('GET', '/offerings', { token, prefix: '/operator' })
    assert.equal(headers.get('ratelimit-policy'), '"token";q=600;w=60')
    assert.match(headers.get('ratelimit') ?? '', /^"token";r=599;t=(59|60)$/)
  })

  test('R234, Q122, Q126: the window slides: a request counts for 60 s, and a rejected one never', async () => {
    const credential = await installation.issueCredential(tenantId, { requestsPerMinute: 3 })
    const token = await first.token(credential)
    assert.equal((await first.call('GET', path, { token })).status, 200)
    assert.equal((await first.call('GET', path, { token })).status, 200)
    assert.equal((await first.call('GET', path, { token })).status, 429)
    // The test ages the window instead of waiting: the two oldest requests are now 61 s old, the third 30 s.
    await redis.age(credential.clientId, [61, 61, 30])
    assert.equal((await first.call('GET', path, { token })).status, 200)
    assert.equal((await first.call('GET', path, { token })).status, 200)
    const rejected = await first.call('GET', path, { token })
    assert.equal(rejected.status, 429)
    assert.match(rejected.headers.get('retry-after') ?? '', /^(29|30)$/)
  })

  test('R239: the 31st wrong secret of an address is 429, its owner is unaffected, unknown ids stay 401', async () => {
    const credential = await installation.issueCredential(tenantId)
    const token = await first.token(credential)
    const wrong = (from: string) =>
      first.call('POST', '/auth', {
        headers: { 'x-forwarded-for': from },
        body: { client_id: credential.clientId, client_secret: 'wrong', scopes: ['order.read'] },
      })
    const responses = await Promise.all(Array.from({ length: 40 }, () => wrong('198.51.100.1')))
    assert.deepEqual([countOf(responses, 401), countOf(responses, 429)], [30, 10])
    assert.equal((await wrong('198.51.100.2')).status, 401)
    assert.equal((await first.call('GET', path, { token })).status, 200)
    assert.equal((await first.auth(credential)).status, 200)
    const unknown = await Promise.all(
      Array.from({ length: 40 }, () => first.auth({ clientId: crypto.randomUUID(), clientSecret: 'x' })),
    )
    assert.equal(countOf(unknown, 401), 40)
  })

  test('Q125: an address with too many bad tokens gets 429, and valid tokens from it still work', async () => {
    const credential = await installation.issueCredential(tenantId)
    const token = await first.token(credential)
    const headers = { 'x-forwarded-for': '198.51.100.77' }
    assertError(await first.call('GET', path, { headers }), 401, 'token_missing')
    await redis.fill('unidentified:198.51.100.77', 6_000)
    assertError(await first.call('GET', path, { headers }), 429, 'rate_limited')
    assert.equal((await first.call('GET', path, { headers, token })).status, 200)
  })

  test('R237: a 429 has no effect and does not extend the wait', async () => {
    const credential = await installation.issueCredential(tenantId, { requestsPerMinute: 1 })
    const token = await first.token(credential)
    for (let count = 0; count < 5; count++) assert.equal((await first.call('GET', path, { token })).status, 429)
    await redis.age(credential.clientId, [61])
    assert.equal((await first.call('GET', path, { token })).status, 200)
  })

  test('if Redis stops, no request fails, each process counts on its own, and readiness reports degraded', async () => {
    const credential = await installation.issueCredential(tenantId)
    const busy = await installation.issueCredential(tenantId, { requestsPerMinute: 60_000 })
    const [token, busyToken] = [await first.token(credential), await first.token(busy)]
    for (let count = 0; count < 20; count++) await first.call('GET', path, { token })
    const responses: ApiResponse[] = []
    const load = Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let count = 0; count < 60; count++) responses.push(await first.call('GET', path, { token: busyToken }))
      }),
    )
    await until('the load is running', () => responses.length > 50)
    await redis.kill()
    await load
    assert.deepEqual([...new Set(responses.map(({ status }) => status))], [200])
    // Redis counted 21, which this process has recorded, so 9 are left.
    const rest = await Promise.all(Array.from({ length: 20 }, () => first.call('GET', path, { token })))
    assert.deepEqual([countOf(rest, 200), countOf(rest, 429)], [9, 11])
    assert.deepEqual(await first.health(), {
      httpStatus: 200,
      status: 'degraded',
      checks: { directory: 'ok', 'cell main': 'ok', redis: 'down', migrations: 'current' },
      versions: ['2026-07-02'],
    })
    await redis.restart()
    await until('Redis counts again', async () => (await first.health()).status === 'ready')
  })

  /** How long the requests of eight clients take in three seconds without Redis. */
  async function durationsWhileFrozen(token: string): Promise<number[]> {
    const durations: number[] = []
    redis.freeze()
    try {
      const endsAt = performance.now() + 3_000
      const clients = Array.from({ length: 8 }, async () => {
        while (performance.now() < endsAt) {
          const startedAt = performance.now()
          assert.equal((await first.call('GET', path, { token })).status, 200)
          durations.push(performance.now() - startedAt)
        }
      })
      await Promise.all(clients)
    } finally {
      redis.thaw()
    }
    return durations
  }

  test('a frozen Redis delays one request a second, fails none, and counts none of them after it thaws', async () => {
    const credential = await installation.issueCredential(tenantId, { requestsPerMinute: 60_000 })
    const token = await first.token(credential)
    await first.call('GET', path, { token })
    // The concurrent first requests all wait; after that one request a second probes Redis. A busy machine delays
    // requests too, so the best of three runs counts.
    const delayedMax = 8 + 4
    let delayed = Number.POSITIVE_INFINITY
    for (let run = 0; run < 3 && delayed > delayedMax; run += 1) {
      const durations = await durationsWhileFrozen(token)
      delayed = durations.filter((ms) => ms > 240).length
    }
    assert.ok(delayed <= delayedMax, `${delayed} requests waited`)
    await until('Redis counts again', async () => (await first.health()).status === 'ready')
    await until('entries of timed-out requests are removed', async () => (await redis.count(credential.clientId)) <= 4)
  })

  test('a read-only Redis counts as down, and readiness reports it', async () => {
    const credential = await installation.issueCredential(tenantId)
    const token = await second.token(credential)
    await redis.readOnly(true)
    try {
      assert.equal((await second.call('GET', path, { token })).status, 200)
      assert.equal((await second.health()).checks['redis'], 'down')
    } finally {
      await redis.readOnly(false)
    }
    await until('Redis counts again', async () => (await second.health()).checks['redis'] === 'ok')
  })

  test('Q124: concurrent requests with the right secret do not count as wrong secrets', async () => {
    const credential = await installation.issueCredential(tenantId, { requestsPerMinute: 600 })
    const responses = await Promise.all(Array.from({ length: 60 }, () => first.auth(credential)))
    assert.equal(countOf(responses, 200), 60)
  })
})

describe('in-memory window', () => {
  test('accepts exactly the limit and returns when the next request is accepted', () => {
    const window = new InMemoryWindow()
    const bucket = { key: 'a', limit: 3 }
    const decisions = [window.take(bucket), window.take(bucket), window.take(bucket), window.take(bucket)]
    assert.deepEqual(
      decisions.map(({ accepted, remaining }) => [accepted, remaining]),
      [
        [true, 2],
        [true, 1],
        [true, 0],
        [false, 0],
      ],
    )
    assert.ok((decisions[3]?.freesInMs ?? 0) > 59_000)
    assert.deepEqual([window.isFull(bucket), window.isFull({ ...bucket, limit: 4 })], [true, false])
    assert.equal(window.take({ key: 'b', limit: 1 }).accepted, true)
  })
})
