import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Answer, assertError } from '../../../../test/harness/api-client.ts'
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

  const countOf = (answers: Answer[], status: number) => answers.filter((answer) => answer.status === status).length

  test('R234, R238: of 60 requests at once over two processes exactly 30 are accepted, auth included', async () => {
    const credential = await installation.issueCredential(tenantId)
    const token = await first.token(credential)
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) => (index % 2 ? first : second).call('GET', path, { token })),
    )
    assert.equal(countOf(answers, 200), 29)
    assert.equal(countOf(answers, 429), 31)
    for (const answer of answers.filter(({ status }) => status === 429)) assertError(answer, 429, 'rate_limited')
  })

  test('R238: 60 requests at once with a token got before: exactly 30 of 60', async () => {
    const credential = await installation.issueCredential(tenantId)
    const token = await first.token(credential)
    await redis.forget(credential.clientId)
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) => (index % 2 ? first : second).call('GET', path, { token })),
    )
    assert.deepEqual([countOf(answers, 200), countOf(answers, 429)], [30, 30])
  })

  test('R002, R235, R236: tokens, prefixes, methods and error answers share one bucket; other credentials have theirs', async () => {
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

  test('R240, Q127: the headers tell what is left, and a 429 when to come back', async () => {
    const credential = await installation.issueCredential(tenantId, { requestsPerMinute: 3 })
    const token = await first.token(credential)
    const accepted = await first.call('GET', path, { token })
    assert.equal(accepted.headers.get('ratelimit-policy'), '"credential";q=3;w=60')
    assert.match(accepted.headers.get('ratelimit') ?? '', /^"credential";r=1;t=(59|60)$/)
    assert.equal(accepted.headers.get('retry-after'), null)
    await first.call('GET', path, { token })
    const refused = await first.call('GET', path, { token })
    assertError(refused, 429, 'rate_limited')
    const seconds = Number(refused.headers.get('retry-after'))
    assert.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60, `Retry-After: ${seconds}`)
    assert.match(refused.headers.get('ratelimit') ?? '', /^"credential";r=0;t=\d+$/)
  })

  test('R234, Q122, Q126: the window slides: a place frees 60 s after its request, and refusals take none', async () => {
    const credential = await installation.issueCredential(tenantId, { requestsPerMinute: 3 })
    const token = await first.token(credential)
    assert.equal((await first.call('GET', path, { token })).status, 200)
    assert.equal((await first.call('GET', path, { token })).status, 200)
    assert.equal((await first.call('GET', path, { token })).status, 429)
    // Time passes by moving the log, not by waiting: the two oldest are now 61 s old, the third 30 s.
    await redis.age(credential.clientId, [61, 61, 30])
    assert.equal((await first.call('GET', path, { token })).status, 200)
    assert.equal((await first.call('GET', path, { token })).status, 200)
    const refused = await first.call('GET', path, { token })
    assert.equal(refused.status, 429)
    assert.match(refused.headers.get('retry-after') ?? '', /^(29|30)$/)
  })

  test('R239: the 31st wrong secret of an address is 429, its owner is not disturbed, unknown clients stay 401', async () => {
    const credential = await installation.issueCredential(tenantId)
    const token = await first.token(credential)
    const wrong = (from: string) =>
      first.call('POST', '/auth', {
        headers: { 'x-forwarded-for': from },
        body: { client_id: credential.clientId, client_secret: 'wrong', scopes: ['order.read'] },
      })
    const answers = await Promise.all(Array.from({ length: 40 }, () => wrong('198.51.100.1')))
    assert.deepEqual([countOf(answers, 401), countOf(answers, 429)], [30, 10])
    assert.equal((await wrong('198.51.100.2')).status, 401)
    assert.equal((await first.call('GET', path, { token })).status, 200)
    assert.equal((await first.auth(credential)).status, 200)
    const unknown = await Promise.all(
      Array.from({ length: 40 }, () => first.auth({ clientId: crypto.randomUUID(), clientSecret: 'x' })),
    )
    assert.equal(countOf(unknown, 401), 40)
  })

  test('Q125: an address that shows too many bad tokens is 429, and valid tokens from it still work', async () => {
    const credential = await installation.issueCredential(tenantId)
    const token = await first.token(credential)
    const headers = { 'x-forwarded-for': '198.51.100.77' }
    assertError(await first.call('GET', path, { headers }), 401, 'token_missing')
    await redis.fill('unidentified:198.51.100.77', 6_000)
    assertError(await first.call('GET', path, { headers }), 429, 'rate_limited')
    assert.equal((await first.call('GET', path, { headers, token })).status, 200)
  })

  test('R237: a 429 has no effect and does not lengthen the wait', async () => {
    const credential = await installation.issueCredential(tenantId, { requestsPerMinute: 1 })
    const token = await first.token(credential)
    for (let count = 0; count < 5; count++) assert.equal((await first.call('GET', path, { token })).status, 429)
    await redis.age(credential.clientId, [61])
    assert.equal((await first.call('GET', path, { token })).status, 200)
  })

  test('Redis stopped in mid-run: no request fails for it, each process goes on counting, readiness says degraded', async () => {
    const credential = await installation.issueCredential(tenantId)
    const busy = await installation.issueCredential(tenantId, { requestsPerMinute: 60_000 })
    const [token, busyToken] = [await first.token(credential), await first.token(busy)]
    for (let count = 0; count < 20; count++) await first.call('GET', path, { token })
    const answers: Answer[] = []
    const load = Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let count = 0; count < 60; count++) answers.push(await first.call('GET', path, { token: busyToken }))
      }),
    )
    await until('the load is running', () => answers.length > 50)
    await redis.kill()
    await load
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
    // 21 were counted together with Redis; this process remembers them, so 9 are left.
    const rest = await Promise.all(Array.from({ length: 20 }, () => first.call('GET', path, { token })))
    assert.deepEqual([countOf(rest, 200), countOf(rest, 429)], [9, 11])
    assert.deepEqual(await first.health(), {
      httpStatus: 200,
      status: 'degraded',
      checks: { directory: 'ok', 'cell main': 'ok', redis: 'away', migrations: 'current' },
    })
    await redis.restart()
    await until('Redis counts again', async () => (await first.health()).status === 'ready')
  })

  test('a frozen Redis delays one request a second, fails none, and counts none of them when it thaws', async () => {
    const credential = await installation.issueCredential(tenantId, { requestsPerMinute: 60_000 })
    const token = await first.token(credential)
    await first.call('GET', path, { token })
    redis.freeze()
    const durations: number[] = []
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
    // The first ones meet the freeze together; after that one at a time finds out.
    const delayed = durations.filter((ms) => ms > 240).length
    assert.ok(delayed <= 8 + 4, `${delayed} of ${durations.length} waited`)
    await until('Redis counts again', async () => (await first.health()).status === 'ready')
    await until('late answers are taken back', async () => (await redis.count(credential.clientId)) <= 4)
  })

  test('a Redis that refuses to write is away, and readiness says so', async () => {
    const credential = await installation.issueCredential(tenantId)
    const token = await second.token(credential)
    await redis.readOnly(true)
    try {
      assert.equal((await second.call('GET', path, { token })).status, 200)
      assert.equal((await second.health()).checks['redis'], 'away')
    } finally {
      await redis.readOnly(false)
    }
    await until('it counts again', async () => (await second.health()).checks['redis'] === 'ok')
  })

  test('Q124: right secrets at once are not refused for a limit of wrong ones', async () => {
    const credential = await installation.issueCredential(tenantId, { requestsPerMinute: 600 })
    const answers = await Promise.all(Array.from({ length: 60 }, () => first.auth(credential)))
    assert.equal(countOf(answers, 200), 60)
  })
})

describe('the log in memory', () => {
  test('accepts exactly the limit and tells when a place frees', () => {
    const log = new InMemoryWindow()
    const bucket = { key: 'a', limit: 3 }
    const decisions = [log.take(bucket), log.take(bucket), log.take(bucket), log.take(bucket)]
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
    assert.deepEqual([log.isFull(bucket), log.isFull({ ...bucket, limit: 4 })], [true, false])
    assert.equal(log.take({ key: 'b', limit: 1 }).accepted, true)
  })
})
