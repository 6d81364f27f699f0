import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { Fixtures } from '../../../../test/harness/data/fixtures.ts'
import { type ApiResponse, assertError } from '../../../../test/harness/installation/api-client.ts'
import { sharedInstallation } from '../../../../test/harness/installation/shared-installation.ts'
import { RedisServer } from '../../../../test/harness/servers/redis-server.ts'
import { until } from '../../../../test/harness/wait.ts'

describe('rate limit', async () => {
  const redis = await RedisServer.start()
  // Two processes count together only while Redis replies in time, which a busy machine delays.
  const settings = { REDIS_URL: redis.url, REDIS_TIMEOUT_MS: '10000', TRUSTED_PROXIES: '127.0.0.1' }
  const installation = await sharedInstallation(settings)
  const [first, second] = await Promise.all([installation.startApi(), installation.startApi()])
  // A process that is not connected yet counts alone.
  for (const { process } of [first, second]) await process.logged('connected to Redis')
  const tenantId = await installation.createTenant('A')
  const path = `/offerings/${await new Fixtures(installation).offering(tenantId)}`
  after(() => installation.end())
  after(() => redis.stop())

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

  test('all tokens of an operator user share one limit, and all users of a tenant share one ceiling', async () => {
    const operatorApi = await installation.startOperatorApi()
    await operatorApi.process.logged('connected to Redis')
    const [one, colleague] = [await installation.createOperator(tenantId), await installation.createOperator(tenantId)]
    const list = (token: string) => operatorApi.call('GET', '/offerings', { token })
    const newToken = { cookie: one.cookie, body: { name: 'second', expires_in_days: 1 } }
    const { token: otherToken } = (await operatorApi.call('POST', `/users/${one.userId}/tokens`, newToken)).body
    const { headers } = await list(otherToken)
    assert.equal(headers.get('ratelimit-policy'), '"user";q=600;w=60')
    assert.match(headers.get('ratelimit') ?? '', /^"user";r=598;t=(59|60)$/)
    await redis.fill(`user:${one.userId}`, 600)
    for (const token of [one.token, otherToken]) assertError(await list(token), 429, 'rate_limited')
    assert.equal((await list(colleague.token)).status, 200)
    await redis.setCounter(`operators:${tenantId}`, 600_000)
    assert.match(
      (await list(colleague.token)).body.error.message,
      /^All callers of your tenant together: at most 600000/,
    )
    await redis.setCounter(`operators:${tenantId}`, 0)
  })

  test('the credentials of a tenant together get at most its ceiling, and other tenants are unaffected', async () => {
    const limited = await installation.createTenant('Limited')
    const [one, two] = [await installation.issueCredential(limited), await installation.issueCredential(limited)]
    await installation.setLimits(limited, { requestsPerMinute: 10 })
    const tokens = [await first.token(one), await second.token(two)]
    const responses = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        (index % 2 ? first : second).call('GET', '/offerings', { token: tokens[index % 3 ? 0 : 1] ?? '' }),
      ),
    )
    assert.deepEqual([countOf(responses, 200), countOf(responses, 429)], [8, 22])
    const rejected = responses.find(({ status }) => status === 429)
    assert.match(
      rejected?.body.error.message,
      /^All callers of your tenant together: at most 10 requests in 60 seconds/,
    )
    assert.match(rejected?.headers.get('retry-after') ?? '', /^(5\d|60)$/)
    assert.equal(rejected?.headers.get('ratelimit-policy'), '"credential";q=30;w=60')
    assert.equal((await first.auth(await installation.issueCredential(tenantId))).status, 200)
  })

  test('the ceiling rejects no credential within its own limit if the limits add up to it', async () => {
    const full = await installation.createTenant('Full')
    await installation.setLimits(full, { requestsPerMinute: 10 })
    const limits = [6, 4]
    const credentials = limits.map((limit) => installation.issueCredential(full, { requestsPerMinute: limit }))
    for (const [index, credential] of (await Promise.all(credentials)).entries()) {
      const token = await first.token(credential)
      const calls = Array.from({ length: 10 }, () => second.call('GET', '/offerings', { token }))
      assert.equal(countOf(await Promise.all(calls), 200), (limits[index] ?? 0) - 1)
    }
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

  test('wrong secrets from many addresses of one IPv6 /64 are limited like those from one address', async () => {
    const credential = await installation.issueCredential(tenantId)
    const responses = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        (index % 2 ? first : second).call('POST', '/auth', {
          headers: { 'x-forwarded-for': `2001:db8:1:2::${index.toString(16)}` },
          body: { client_id: credential.clientId, client_secret: 'wrong', scopes: ['order.read'] },
        }),
      ),
    )
    assert.deepEqual([countOf(responses, 401), countOf(responses, 429)], [30, 30])
    assert.equal(await redis.countIn('unidentified:2001:db8:1:2'), 60)
  })

  test('Q125: an address with too many bad tokens gets 429, and valid tokens from it still work', async () => {
    const credential = await installation.issueCredential(tenantId)
    const token = await first.token(credential)
    const headers = { 'x-forwarded-for': '198.51.100.77' }
    assertError(await first.call('GET', path, { headers }), 401, 'token_missing')
    await redis.fill('unidentified:198.51.100.77', 6_000)
    for (let count = 0; count < 3; count += 1)
      assertError(await first.call('GET', path, { headers }), 429, 'rate_limited')
    assert.equal((await first.call('GET', path, { headers, token })).status, 200)
    // The log has one line for the address, however many requests it sends.
    const ofAddress = () => first.process.output.filter((line) => line.includes('198.51.100.77'))
    await until('the requests are logged', () => ofAddress().length >= 2)
    const statuses = ofAddress().map((line) => (JSON.parse(line) as { status: number }).status)
    assert.deepEqual(statuses, [401, 429])
  })

  test('R237: a 429 has no effect and does not extend the wait', async () => {
    const credential = await installation.issueCredential(tenantId, { requestsPerMinute: 1 })
    const token = await first.token(credential)
    for (let count = 0; count < 5; count++) assert.equal((await first.call('GET', path, { token })).status, 429)
    await redis.age(credential.clientId, [61])
    assert.equal((await first.call('GET', path, { token })).status, 200)
  })

  test('Q124: concurrent requests with the right secret do not count as wrong secrets', async () => {
    const credential = await installation.issueCredential(tenantId, { requestsPerMinute: 600 })
    const responses = await Promise.all(Array.from({ length: 60 }, () => first.auth(credential)))
    assert.equal(countOf(responses, 200), 60)
  })
})
