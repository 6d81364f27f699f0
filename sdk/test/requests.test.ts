import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import { Fixtures } from '../../service/test/harness/data/fixtures.ts'
import { InvestorToken, type LogEntry, PayloadMismatchError, ValidationError } from '../src/sdk.ts'
import type { Fault } from './harness/test-proxy.ts'
import { createSdkWorld, person } from './harness/world.ts'

const rejection = (status: number, code: string, headers: Record<string, string> = {}): Fault => ({
  status,
  body: { error: { type: 'test_error', code, message: 'Injected by the test.' } },
  headers,
})

describe('requests', async () => {
  const world = await createSdkWorld()
  after(() => world.end())

  /** Applies one fault after the other to the requests other than POST /auth. */
  const faulty = (...faults: Fault[]) =>
    world.proxy({ fault: ({ path }) => (path === '/auth' ? undefined : faults.shift()) })

  test('every write that takes a key sends one, which the caller can set or read before the response', async () => {
    const proxy = await world.proxy()
    const client = world.client({ baseUrl: proxy.url })
    const call = client.accounts.create(person)
    assert.match(call.idempotencyKey ?? '', /^[0-9a-f-]{36}$/)
    const { data: account, idempotencyKey, isReplay } = await call.withResponse()
    assert.deepEqual([idempotencyKey, isReplay], [call.idempotencyKey, false])

    const again = await client.accounts.create(person, { idempotencyKey: call.idempotencyKey }).withResponse()
    assert.deepEqual([again.data.id, again.isReplay], [account.id, true])
    const order = client.offerings.orders.create(world.offeringId, { account_id: account.id, units: 5n })
    assert.deepEqual([(await order).units, typeof order.idempotencyKey], [5n, 'string'])
    const cancelled = client.offerings.orders.cancel(world.offeringId, (await order).id)
    assert.deepEqual([(await cancelled).status, cancelled.idempotencyKey], ['CANCELLED', undefined])
    const keyed = proxy.seen.filter(({ headers }) => headers['x-idempotency-key'] !== undefined)
    assert.deepEqual(
      keyed.map(({ method, path }) => `${method} ${path}`),
      ['POST /accounts', 'POST /accounts', `POST /offerings/${world.offeringId}/orders`],
    )
  })

  test('a write is retried with its key after a lost response, 409, 429 and 503, and happens once', async () => {
    const wait = { 'retry-after': '0' }
    const proxy = await faulty(
      'drop after',
      rejection(409, 'idempotency_in_progress', wait),
      rejection(429, 'rate_limited', wait),
      rejection(503, 'unavailable', wait),
    )
    const email = `${crypto.randomUUID()}@example.com`
    const client = world.client({ baseUrl: proxy.url })
    const body = { ...person, communication: { ...person.communication, email } }
    const { attempts, isReplay } = await client.accounts.create(body).withResponse()
    assert.deepEqual([attempts, isReplay], [5, true])
    const keys = proxy.seen
      .filter(({ path }) => path === '/accounts')
      .map(({ headers }) => headers['x-idempotency-key'])
    assert.deepEqual([keys.length, new Set(keys).size], [5, 1])
  })

  test('a retry waits at least as long as Retry-After', async () => {
    const proxy = await faulty(rejection(503, 'unavailable', { 'retry-after': '1' }))
    const startedAt = performance.now()
    await world.client({ baseUrl: proxy.url }).offerings.get(world.offeringId)
    assert.ok(performance.now() - startedAt >= 1000)
  })

  test('no other 4xx is retried', async () => {
    for (const [status, code] of [
      [400, 'validation_failed'],
      [404, 'not_found'],
      [408, 'request_timeout'],
      [409, 'offering_sold_out'],
      [422, 'unknown_code'],
    ] as const) {
      const proxy = await faulty(rejection(status, code))
      await assert.rejects(world.client({ baseUrl: proxy.url }).offerings.get(world.offeringId), { status, code })
      assert.equal(proxy.seen.length, 2, code)
    }
  })

  test('retries stop at maxRetries, and the error has the idempotency key', async () => {
    const proxy = await faulty('drop before', 'drop before', 'drop before')
    const call = world.client({ baseUrl: proxy.url, maxRetries: 2 }).accounts.create(person)
    const key = call.idempotencyKey
    await assert.rejects(call, { name: 'ConnectionError', idempotencyKey: key })
    assert.equal(proxy.seen.length, 4)
  })

  test('a simulation without a key is sent once, however its connection ends', async () => {
    for (const fault of ['drop before', 'drop after', 'drop within', rejection(503, 'unavailable')] as const) {
      const proxy = await faulty(fault, fault)
      const client = world.client({ baseUrl: proxy.url })
      const calls = [
        () => client.simulations.reorg({ offering_id: world.offeringId, depth: 1 }),
        () => client.simulations.mintFailure(world.offeringId, { failing: true }),
      ]
      for (const call of calls) await assert.rejects(call())
      assert.deepEqual([proxy.count('/auth'), proxy.seen.length], [1, 3])
    }
  })

  test('reusing a key with a different body throws an error with the id of the first result', async () => {
    const client = world.client()
    const { id } = await client.accounts.create(person, { idempotencyKey: 'mismatch' })
    const call = client.accounts.create({ ...person, is_beneficiary: false }, { idempotencyKey: 'mismatch' })
    await assert.rejects(
      call,
      (error) => error instanceof PayloadMismatchError && error.earlierId === id && error.idempotencyKey === 'mismatch',
    )
  })

  test('an invalid body throws an error with all failures', async () => {
    const bad = { ...person, communication: { email: 'not-an-address', email_confirmed: 'yes' as never } }
    await assert.rejects(world.client().accounts.create(bad), (error) => {
      assert.ok(error instanceof ValidationError && error.is('validation_failed'))
      assert.deepEqual(
        error.failures.map((failure) => 'pointer' in failure && failure.pointer),
        ['/communication/email', '/communication/email_confirmed'],
      )
      return typeof error.requestId === 'string' && typeof error.idempotencyKey === 'string'
    })
  })

  test('malformed ids and keys are rejected before anything is sent', async () => {
    const proxy = await world.proxy()
    const client = world.client({ baseUrl: proxy.url })
    for (const id of ['', '..', 'a/b', '?']) await assert.rejects(client.accounts.get(id), { name: 'UsageError' })
    for (const idempotencyKey of ['', 'a\nb', 'ü', 'a'.repeat(129)])
      await assert.rejects(client.accounts.create(person, { idempotencyKey }), { name: 'UsageError' })
    assert.equal(proxy.seen.length, 0)
  })

  test('timeout and signal also cover reading the body, and the signal also covers retry delays', async () => {
    const server = createServer((request, response) => {
      response.setHeader('content-type', 'application/json')
      const expires_at = new Date(Date.now() + 600_000).toISOString()
      if (request.url === '/api/auth')
        response.end(JSON.stringify({ access_token: 'a', token_type: 'Bearer', expires_at }))
      else if (request.url?.endsWith('1')) response.writeHead(200).write('{"id":')
      else
        response
          .writeHead(503, { 'retry-after': '100' })
          .end('{"error":{"type":"t","code":"unavailable","message":"m"}}')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const client = new InvestorToken({ ...world.credential, baseUrl, maxRetries: 1 })
    const stalls = '00000000-0000-4000-8000-000000000001'
    const unavailable = '00000000-0000-4000-8000-000000000002'
    const startedAt = performance.now()
    await assert.rejects(client.offerings.get(stalls, { timeoutMs: 150, maxRetries: 0 }), { name: 'TimeoutError' })
    for (const id of [stalls, unavailable])
      await assert.rejects(client.offerings.get(id, { signal: AbortSignal.timeout(150) }), { name: 'AbortError' })
    await assert.rejects(client.offerings.get(stalls, { signal: AbortSignal.abort() }), { name: 'AbortError' })
    assert.ok(performance.now() - startedAt < 5_000)
    server.closeAllConnections()
    server.close()
  })

  test('a redirect is not followed, so the secret is not sent to another host', async () => {
    const proxy = await world.proxy({
      fault: () => ({ status: 307, body: {}, headers: { location: `${world.api.baseUrl}/api/auth` } }),
    })
    const call = world.client({ baseUrl: proxy.url }).offerings.get(world.offeringId)
    await assert.rejects(call, { name: 'UnexpectedResponseError', status: 307 })
    assert.equal(proxy.seen.length, 1)
  })

  test('the logger receives every response, retry and token, and a logger that throws fails no request', async () => {
    const proxy = await faulty(rejection(503, 'unavailable', { 'retry-after': '0' }))
    const entries: LogEntry[] = []
    const logger = (entry: LogEntry) => {
      entries.push(entry)
      throw new Error('a bad logger')
    }
    await world.client({ baseUrl: proxy.url, logger }).offerings.get(world.offeringId)
    assert.deepEqual(
      entries.map(({ event, operation, status }) => [event, operation, status]),
      [
        ['response', 'authenticate', 200],
        ['token', 'authenticate', undefined],
        ['response', 'getOffering', 503],
        ['retry', 'getOffering', undefined],
        ['response', 'getOffering', 200],
      ],
    )
  })

  test('units are bigint in requests and responses, also above 2^53, and strings in event data', async () => {
    const client = world.client()
    const total_units = '123456789012345678901234567890'
    const offeringId = await new Fixtures(world.installation).offering(world.tenantId, { decimals: 18, total_units })
    const offering = await client.offerings.get(offeringId)
    assert.deepEqual([offering.total_units, offering.min_units], [BigInt(total_units), null])
    const { id: account_id } = await client.accounts.create(person)
    const units = 100_000_000_000_000_000_001n
    const order = await client.offerings.orders.create(offeringId, { account_id, units })
    assert.equal((await client.offerings.orders.get(offeringId, order.id)).units, units)

    await world.installation.numberEvents()
    const { last_sequence } = await client.events.list()
    const sequences: number[] = []
    const eventUnits: unknown[] = []
    for await (const event of client.events.after(0, { limit: 10 })) {
      sequences.push(event.sequence)
      if (event.data['order_id'] === order.id) eventUnits.push(event.data['units'])
    }
    assert.deepEqual([sequences.at(-1), eventUnits], [last_sequence, [String(units)]])
    assert.deepEqual(
      sequences,
      [...new Set(sequences)].toSorted((one, another) => one - another),
    )
  })
})
