import assert from 'node:assert/strict'
import { parse } from 'node:querystring'
import { after, describe, test } from 'node:test'
import { DirectOperations } from '../../../../test/harness/callers/operations.ts'
import { individual, newOffering } from '../../../../test/harness/data/bodies.ts'
import { sharedInstallation } from '../../../../test/harness/installation/shared-installation.ts'
import { pluck } from '../../../../test/harness/pluck.ts'
import { createAccount } from '../../../sales/accounts/create-account.ts'
import { draftOffering } from '../../../sales/offerings/operator/draft-offering.ts'
import { openDraft } from '../../../sales/offerings/operator/open-draft.ts'
import { listOrders } from '../../../sales/orders/operator/list-orders.ts'
import { sql } from '../../postgres/sql.ts'
import { ApiError, validationFailed } from '../errors/errors.ts'
import { readQuery } from '../pipeline/query.ts'
import { requestValidator } from '../pipeline/validation.ts'
import { encodeCursor } from './cursor.ts'
import { boundedCount } from './keyset.sql.ts'
import { countMax } from './keyset-list.ts'

const orders = 40
const statuses = ['ORDERED', 'PAID', 'NOPAYMENT'] as const

describe('lists for operators', async () => {
  const installation = await sharedInstallation()
  after(() => installation.end())
  const tenantId = await installation.createTenant('Lists')
  const direct = new DirectOperations(installation, tenantId)
  const accountId = (await direct.run(createAccount, { body: individual })).id
  const openOffering = (): Promise<string> =>
    direct.write(async (tx) => {
      const id = await draftOffering(tx, tenantId, { ...newOffering, type: 'DEBT_TOKENIZED' })
      await openDraft(tx, { tenantId, offeringId: id }, new Date())
      return id
    })
  const offeringId = await openOffering()
  const path = `/orders?offering_id=${offeringId}`
  let offerings = 0
  /** Inserts many orders with equal amounts and deadlines, which a cursor has to tell apart. */
  const insertOrders = (offering: string, count: number) =>
    installation.rows(
      `insert into cell.token_order (tenant_id, id, offering_id, account_id, offering_position, account_position,
                                     status, units, price_per_token, total_amount, paid_amount, currency,
                                     payment_bank_account, payment_reference, payment_due_at, created_at)
       select $1, (lpad(to_hex((extract(epoch from time) * 1000)::bigint), 12, '0') || '70008000'
                   || lpad(to_hex($6::int), 4, '0') || lpad(to_hex(at), 8, '0'))::uuid,
              $2, $3, at, at + 1000000 * $6::int, ($4::text[])[at % 3 + 1], 1, 1,
              at % 3 + 1, at % 2, 'EUR', $7::jsonb, 'RF' || $6::int || '-' || at,
              timestamptz '2026-07-02 10:00:00.123456Z' + at % 4 * interval '1 day', time
       from generate_series(1, $5::int) at,
            lateral (select timestamptz '2026-07-01Z' + at * interval '1 minute' as time) made`,
      [tenantId, offering, accountId, statuses, count, ++offerings, newOffering.collection_account],
    )
  await insertOrders(offeringId, orders)

  const validate = requestValidator(listOrders)

  /** Reads, validates and runs the list as the API does, without HTTP. */
  async function get(url: string) {
    const [, text = ''] = url.split('?')
    const query = readQuery(listOrders.header.query, parse(text))
    try {
      const failures = validate({ params: {}, query, body: undefined, idempotencyKey: undefined })
      if (failures.length > 0) throw validationFailed(failures)
      return { status: 200, body: await direct.run(listOrders, { query }), text: '' }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return { status: error.declared.status, body: { code: error.code }, text: JSON.stringify(error.failures) }
    }
  }

  function assertRejected({ status, body, text }: Awaited<ReturnType<typeof get>>): void {
    assert.deepEqual([status, body.code], [400, 'validation_failed'], text)
  }

  /** Returns the ids of all pages, following only `next`. */
  async function walk(start: string): Promise<string[]> {
    const seen: string[] = []
    let next: string | null = start
    for (let pages = 0; next !== null; pages += 1) {
      assert.ok(pages <= orders, 'the pages do not end')
      const { status, body, text } = await get(next)
      assert.equal(status, 200, text)
      assert.ok(body.results.length > 0 && body.results.length <= 7)
      seen.push(...body.results.map(({ id }: { id: string }) => id))
      next = body.pagination.next
    }
    return seen
  }

  const sorts = { created_at: 'id', total_amount: 'total_amount', missing_amount: 'missing_minor', payment_due_at: '' }

  for (const sort of Object.keys(sorts))
    for (const direction of ['asc', 'desc'])
      test(`by ${sort} ${direction}: the pages have every row once, in the order of the sort key and the id`, async () => {
        const column = sorts[sort as keyof typeof sorts] || sort
        const rows = await installation.rows(
          `select id from cell.token_order where tenant_id = $1 and offering_id = $2
           order by ${column} ${direction}, id ${direction}`,
          [tenantId, offeringId],
        )
        const seen = await walk(`${path}&limit=7&sort=${sort}&direction=${direction}`)
        assert.equal(new Set(seen).size, orders)
        assert.deepEqual(seen, pluck(rows, 'id'))
      })

  test('several states return the rows of each and no others, by any sort', async () => {
    const rows = await installation.rows(
      `select id from cell.token_order where offering_id = $1 and status in ('PAID', 'NOPAYMENT')`,
      [offeringId],
    )
    const expected = rows.map(({ id }) => id).toSorted()
    for (const sort of Object.keys(sorts))
      for (const direction of ['asc', 'desc']) {
        const seen = await walk(`${path}&limit=7&status=PAID,NOPAYMENT&sort=${sort}&direction=${direction}`)
        assert.deepEqual(seen.toSorted(), expected, `${sort} ${direction}`)
      }
  })

  test('`next` keeps the filters', async () => {
    const query = 'status=PAID,NOPAYMENT&total_from=200&created_from=2026-07-01T00%3A00%3A00Z&limit=7&sort=total_amount'
    const { next } = (await get(`${path}&${query}`)).body.pagination
    const parameters = new URL(next).searchParams
    parameters.delete('cursor')
    assert.equal(parameters.toString(), new URLSearchParams(`offering_id=${offeringId}&${query}`).toString())
  })

  test('a range of time and a range of amounts include their lower ends', async () => {
    const idsOf = async (query: string) =>
      (await get(`${path}&direction=asc&limit=100&${query}`)).body.results.map(({ id }: { id: string }) => id)
    const all = await idsOf('')
    assert.deepEqual(await idsOf('created_from=2026-07-01T00:10:00Z&created_to=2026-07-01T00:20:00Z'), all.slice(9, 19))
    assert.deepEqual(await idsOf('created_from=2026-07-02T00:00:00Z'), [])
    const totals = await get(`${path}&limit=100&total_from=200&total_to=200`)
    const amounts = [...new Set(totals.body.results.map((order: { total_amount: number }) => order.total_amount))]
    assert.deepEqual(amounts, [2])
    assert.equal(totals.body.pagination.count, Math.ceil(orders / 3))
  })

  test('a cursor of another list, another order or another content is a 400', async () => {
    const cursorOf = async (query: string) => {
      const { next } = (await get(`${path}&limit=7${query}`)).body.pagination
      return new URL(next).searchParams.get('cursor') ?? ''
    }
    const byId = await cursorOf('')
    const byTotal = await cursorOf('&sort=total_amount')
    const order = { sort: 'total_amount', direction: 'desc' } as const
    const id = crypto.randomUUID()
    const changed = (key: string | null, position: string) => encodeCursor(order, { key, id: position })
    for (const [query, cursor] of [
      ['', byTotal],
      ['&sort=total_amount', byId],
      ['&direction=asc', byId],
      ['', `${byId}x`],
      ['', byId.slice(4)],
      ['', Buffer.from('null').toString('base64url')],
      ['', Buffer.from('["created_at","desc",null,7]').toString('base64url')],
      ['', encodeCursor({ sort: 'created_at', direction: 'desc' }, { key: '1', id })],
      ['&sort=total_amount', changed('1', 'x')],
      ['&sort=total_amount', changed(null, id)],
      ['&sort=total_amount', changed('1.5', id)],
      ['&sort=total_amount', changed('9223372036854775808', id)],
      ['&sort=total_amount', changed('', id)],
      ...['', 'infinity', '2026-13-01 00:00:00+00', '2026-07-01', '2026-07-01 00:00:00+99'].map((key) => [
        '&sort=payment_due_at',
        encodeCursor({ sort: 'payment_due_at', direction: 'desc' }, { key, id }),
      ]),
    ] as const)
      assertRejected(await get(`${path}${query}&cursor=${cursor}`))
    // A cursor of another tenant or filter is only a position, and reveals nothing else.
    assert.equal((await get(`${path}&cursor=${byId}&status=PAID`)).status, 200)
    for (const cursor of ['', 'a b', '%00', 'x'.repeat(513)]) assertRejected(await get(`${path}&cursor=${cursor}`))
  })

  test('a parameter with several values takes each once, and no unknown one', async () => {
    for (const status of ['', 'PAID,', 'PAID,PAID', 'PAID,UNKNOWN', 'paid', 'PAID&status=MINTED']) {
      const rejected = await get(`/orders?status=${status}`)
      assertRejected(rejected)
      assert.match(rejected.text, /"parameter":"status"/)
      assert.match(rejected.text, /The query parameter status /)
    }
    assertRejected(await get('/orders?offset=10'))
  })

  test('counting stops at 10,000', async () => {
    const few = (await get(`${path}&limit=1`)).body
    assert.deepEqual([few.pagination.count, few.pagination.is_count_exact, few.results.length], [orders, true, 1])
    const countOf = (rows: number) => direct.write((tx) => boundedCount(tx, sql`from generate_series(1, ${rows}::int)`))
    assert.deepEqual(
      [await countOf(countMax), await countOf(countMax + 1), await countOf(50_000)],
      [10_000, 10_001, 10_001],
    )
    const large = await openOffering()
    await insertOrders(large, countMax + 1)
    const many = (await get(`/orders?offering_id=${large}&limit=1`)).body
    assert.deepEqual([many.pagination.count, many.pagination.is_count_exact], [10_000, false])
    const exact = (await get(`/orders?offering_id=${large}&limit=1&total_from=200`)).body
    assert.deepEqual([exact.pagination.count, exact.pagination.is_count_exact], [6_668, true])
  })
})
