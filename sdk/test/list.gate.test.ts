import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { loadOrderBook } from '../../bench/orders.ts'
import { FastClock } from './harness/test-clock.ts'
import { TestProxy } from './harness/test-proxy.ts'
import { createSdkWorld } from './harness/world.ts'

// Both the service's and the client's clock run this many times faster, so that minutes pass in seconds.
const factor = 60
const rows = 10_000

describe('a list of 10,000 orders', async () => {
  const world = await createSdkWorld()
  after(() => world.end())
  const book = await loadOrderBook(world.installation, { accounts: 10, orders: rows })

  test('iterating at 30 requests a minute while orders are added returns each once, without a 429', async () => {
    const origin = Date.now()
    const clock = new FastClock(factor, origin)
    const settings = { CLOCK_FACTOR: String(factor), CLOCK_ORIGIN: String(origin), REDIS_URL: '' }
    const fastApi = await world.installation.startApiProcess(settings, ['../sdk/test/harness/fast-clock.ts'])
    const proxy = await TestProxy.start(fastApi.baseUrl, { now: () => clock.now() })
    const slow = await world.installation.issueCredential(book.tenantId)
    const reader = world.client({ ...slow, baseUrl: proxy.url, clock, timeoutMs: 30_000 * factor })
    const quick = await world.installation.issueCredential(book.tenantId, { requestsPerMinute: 60_000 })
    const writer = world.client(quick)

    let isReading = true
    let added = 0
    const [account_id = ''] = book.accountIds
    const adding = (async () => {
      while (isReading) {
        await writer.offerings.orders.create(book.offeringId, { account_id, units: 1n })
        added += 1
      }
    })()
    const startedAt = clock.now()
    const ids: string[] = []
    // Pages of 25, so that iterating takes longer than the lifetime of a token.
    for await (const [offset, order] of reader.offerings.orders.list(book.offeringId, { limit: 25 }).entries()) {
      assert.equal(offset, ids.push(order.id) - 1)
    }
    isReading = false
    await adding

    const stored = await world.installation.owner(async (owner) => {
      const text =
        'select id from cell.token_order where tenant_id = $1 and offering_id = $2 order by offering_position'
      return (await owner.query<{ id: string }>(text, [book.tenantId, book.offeringId])).rows.map(({ id }) => id)
    })
    const seconds = Math.round((clock.now() - startedAt) / 1000)
    process.stderr.write(`${ids.length} rows, ${added} added, ${proxy.seen.length} requests in ${seconds} s\n`)
    assert.equal(new Set(ids).size, ids.length, 'no row twice')
    assert.deepEqual(ids, stored.slice(0, ids.length), 'no row missing')
    assert.ok(ids.length > rows, `${ids.length - rows} of the ${added} added rows were returned`)
    assert.deepEqual(proxy.statuses(), { 200: proxy.seen.length }, 'no request was rejected')
    assert.ok(proxy.count('/auth') >= 2, 'the token was renewed')
    await proxy.end()
  })

  test('iteration resumes at an offset, and pages are read in both directions', async () => {
    const credential = await world.installation.issueCredential(book.tenantId, { requestsPerMinute: 60_000 })
    const list = world.client(credential).offerings.orders.list(book.offeringId, { offset: rows - 3 })
    const resumed: number[] = []
    for await (const [offset] of list.entries()) if (resumed.push(offset) === 3) break
    assert.deepEqual(resumed, [rows - 3, rows - 2, rows - 1])

    const first = await list.page({ offset: 0, limit: 10 })
    assert.deepEqual([first.results.length, first.offering.id], [10, book.offeringId])
    const { data, status, requestId } = await list.page({ offset: 0, limit: 10, direction: 'desc' }).withResponse()
    assert.deepEqual([status, data.pagination.offset, typeof requestId], [200, 0, 'string'])
    assert.notEqual(data.results[0]?.id, first.results[0]?.id)
  })
})
