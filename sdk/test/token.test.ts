import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { AuthenticationError, InvestorToken } from '../src/sdk.ts'
import { SteppedClock } from './harness/test-clock.ts'
import { createSdkWorld } from './harness/world.ts'

describe('the access token', async () => {
  const world = await createSdkWorld()
  after(() => world.end())

  const together = (client: InvestorToken, count: number) =>
    Promise.all(Array.from({ length: count }, () => client.offerings.get(world.offeringId)))

  test('100 concurrent calls without a token or with an expired one make one request to /auth', async () => {
    const proxy = await world.proxy()
    const clock = new SteppedClock()
    const client = world.client({ baseUrl: proxy.url, clock })
    await together(client, 100)
    assert.equal(proxy.count('/auth'), 1)

    clock.step(600_000)
    await together(client, 100)
    assert.deepEqual([proxy.count('/auth'), proxy.statuses()], [2, { 200: 202 }])
  })

  test('is renewed 60 s before it expires, and not earlier', async () => {
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

  test('100 concurrent calls whose token the service rejects make one request to /auth, and all succeed', async () => {
    const proxy = await world.proxy({
      // Invalid until the client requests a second token.
      rewrite: (headers) => {
        const isReplaced = headers['authorization'] !== undefined && proxy.count('/auth') < 2
        if (isReplaced) headers['authorization'] = 'Bearer nothing'
      },
    })
    const client = world.client({ baseUrl: proxy.url })
    await together(client, 100)
    const { 200: successes, 401: rejections = 0 } = proxy.statuses()
    assert.deepEqual([proxy.count('/auth'), successes], [2, 102])
    assert.ok(rejections > 1, `${rejections} callers got a 401`)
  })

  test('a call fails if the renewed token is rejected too', async () => {
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

  test('a wrong secret fails without a retry', async () => {
    const proxy = await world.proxy()
    const client = world.client({ baseUrl: proxy.url, clientSecret: 'its_wrong' })
    await assert.rejects(client.offerings.get(world.offeringId), (error) =>
      (error as AuthenticationError).is('invalid_client'),
    )
    assert.equal(proxy.seen.length, 1)
  })

  test('while /auth is unavailable, a token that is due for renewal is still used', async () => {
    let isUnavailable = false
    const proxy = await world.proxy({
      fault: ({ path }) => (isUnavailable && path === '/auth' ? 'drop before' : undefined),
    })
    const clock = new SteppedClock()
    const client = world.client({ baseUrl: proxy.url, clock, maxRetries: 1 })
    await client.offerings.get(world.offeringId)
    isUnavailable = true
    clock.step(550_000)
    await client.offerings.get(world.offeringId)
    assert.equal(proxy.count('/auth'), 3)
  })

  test('a 401 at the renewal reaches the caller, although the old token has not expired', async () => {
    let isDisabled = false
    const body = { error: { type: 'authentication_error', code: 'invalid_client', message: 'Unknown credential.' } }
    const proxy = await world.proxy({
      fault: ({ path }) => (isDisabled && path === '/auth' ? { status: 401, body } : undefined),
    })
    const clock = new SteppedClock()
    const client = world.client({ baseUrl: proxy.url, clock })
    await client.offerings.get(world.offeringId)
    isDisabled = true
    clock.step(550_000)
    await assert.rejects(
      client.offerings.get(world.offeringId),
      (error) => error instanceof AuthenticationError && error.is('invalid_client'),
    )
    assert.deepEqual([proxy.count('/auth'), proxy.seen.length], [2, 3])
  })

  test('aborting one call does not abort the token request that other calls wait for', async () => {
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

  test('http to another host is rejected unless allowHttp is set', () => {
    const options = { ...world.credential, baseUrl: 'http://api.example.com' }
    assert.throws(() => new InvestorToken(options), { name: 'UsageError', message: /https/ })
    assert.ok(new InvestorToken({ ...options, allowHttp: true }))
  })
})
