import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { AuthenticationError, InvestorToken } from '../src/sdk.ts'
import { SteppedClock } from './harness/test-clock.ts'
import { SdkWorld } from './harness/world.ts'

describe('the token', () => {
  let world: SdkWorld
  before(async () => {
    world = await SdkWorld.create()
  })
  after(() => world.end())

  const together = (client: InvestorToken, count: number) =>
    Promise.all(Array.from({ length: count }, () => client.offerings.get(world.offeringId)))

  test('100 callers with no token, and 100 with one that ends, make one call to /auth each time', async () => {
    const proxy = await world.proxy()
    const clock = new SteppedClock()
    const client = world.client({ baseUrl: proxy.url, clock })
    await together(client, 100)
    assert.equal(proxy.count('/auth'), 1)

    clock.step(600_000)
    await together(client, 100)
    assert.deepEqual([proxy.count('/auth'), proxy.statuses()], [2, { 200: 202 }])
  })

  test('is renewed 60 s before its end, and not earlier', async () => {
    const proxy = await world.proxy()
    const clock = new SteppedClock()
    const client = world.client({ baseUrl: proxy.url, clock })
    await client.offerings.get(world.offeringId)
    clock.step(530_000)
    await client.offerings.get(world.offeringId)
    assert.equal(proxy.count('/auth'), 1)
    clock.step(12_000)
    await client.offerings.get(world.offeringId)
    assert.equal(proxy.count('/auth'), 2)
  })

  test('100 callers whose token the service refuses make one call to /auth, and all get their answer', async () => {
    const proxy = await world.proxy({
      // Until a second token has been asked for.
      rewrite: (headers) => {
        const isRefused = headers['authorization'] !== undefined && proxy.count('/auth') < 2
        if (isRefused) headers['authorization'] = 'Bearer nothing'
      },
    })
    const client = world.client({ baseUrl: proxy.url })
    await together(client, 100)
    const { 200: successes, 401: refusals = 0 } = proxy.statuses()
    assert.deepEqual([proxy.count('/auth'), successes], [2, 102])
    assert.ok(refusals > 1, `${refusals} callers were refused`)
  })

  test('a token that is refused twice is an error, after one renewal', async () => {
    const proxy = await world.proxy({
      rewrite: (headers) => {
        if (headers['authorization'] !== undefined) headers['authorization'] = 'Bearer nothing'
      },
    })
    const client = world.client({ baseUrl: proxy.url })
    await assert.rejects(
      client.offerings.get(world.offeringId),
      (error) => error instanceof AuthenticationError && error.is('token_invalid') && error.requestId !== undefined,
    )
    assert.deepEqual(proxy.statuses(), { 200: 2, 401: 2 })
  })

  test('a wrong secret is an error at once', async () => {
    const proxy = await world.proxy()
    const client = world.client({ baseUrl: proxy.url, clientSecret: 'its_wrong' })
    await assert.rejects(client.offerings.get(world.offeringId), (error) =>
      (error as AuthenticationError).is('invalid_client'),
    )
    assert.equal(proxy.seen.length, 1)
  })

  test('while /auth is away, a token that must be renewed soon still serves', async () => {
    let isAway = false
    const proxy = await world.proxy({
      fault: ({ path }) => (isAway && path === '/auth' ? 'drop before' : undefined),
    })
    const clock = new SteppedClock()
    const client = world.client({ baseUrl: proxy.url, clock, maxRetries: 1 })
    await client.offerings.get(world.offeringId)
    isAway = true
    clock.step(550_000)
    await client.offerings.get(world.offeringId)
    assert.equal(proxy.count('/auth'), 3)
  })

  test('whoever stops waiting leaves the token for the others', async () => {
    const proxy = await world.proxy()
    const client = world.client({ baseUrl: proxy.url })
    const controller = new AbortController()
    const first = client.offerings.get(world.offeringId, { signal: controller.signal })
    const second = client.offerings.get(world.offeringId)
    controller.abort()
    await assert.rejects(first, { name: 'AbortError' })
    assert.equal((await second).id, world.offeringId)
    assert.equal(proxy.count('/auth'), 1)
  })

  test('http to another machine is refused, unless it is allowed', () => {
    const options = { ...world.credential, baseUrl: 'http://api.example.com' }
    assert.throws(() => new InvestorToken(options), { name: 'UsageError', message: /https/ })
    assert.ok(new InvestorToken({ ...options, allowHttp: true }))
  })
})
