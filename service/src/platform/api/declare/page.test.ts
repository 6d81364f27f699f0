import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { recordingTransaction } from '../../../../test/harness/data/recording-transaction.ts'
import { TestTenant } from '../../../../test/harness/data/tenant.ts'
import { assertError } from '../../../../test/harness/installation/api-client.ts'
import { TestInstallation } from '../../../../test/harness/installation/test-installation.ts'
import { selectAccounts } from '../../../sales/accounts/account.sql.ts'
import { selectVisibleOfferings } from '../../../sales/offerings/offering.sql.ts'
import { selectOrdersOfAccount, selectOrdersOfOffering } from '../../../sales/orders/order.sql.ts'
import { selectWalletsOfAccount } from '../../../sales/wallets/wallet.sql.ts'
import { selectBalancesOfAccount, selectTransactionsOfAccount } from '../../../tokens/balances/balance.sql.ts'
import type { Sql } from '../../postgres/sql.ts'
import type { Transaction } from '../../postgres/transaction.ts'

const rows = 25

describe('pagination', async () => {
  const installation = await TestInstallation.create()
  after(() => installation.end())
  const api = await installation.startApi()
  const tenant = await TestTenant.create(installation, api)
  const accountId = await tenant.account()
  for (let count = 1; count < rows; count++) await tenant.account()
  const empty = await tenant.account()
  const offeringIds: string[] = []
  for (let count = 0; count < rows; count++) offeringIds.push(await tenant.fixtures.offering(tenant.id))
  const [offeringId = ''] = offeringIds
  const walletIds: string[] = []
  for (let count = 0; count < rows; count++) {
    await tenant.order(offeringId, accountId, String(count + 1))
    walletIds.push(await tenant.fixtures.wallet(tenant.id, accountId))
  }
  for (const [index, walletId] of walletIds.entries()) {
    const holding = { tenantId: tenant.id, accountId, walletId, offeringId: offeringIds[index] ?? '' }
    await tenant.fixtures.balance(holding, '1')
    await tenant.fixtures.transaction(holding)
  }
  /** Every list, with 25 rows each. */
  const lists: Record<string, string> = {
    'orders of an offering': `/offerings/${offeringId}/orders`,
    'orders of an account': `/accounts/${accountId}/orders`,
    transactions: `/accounts/${accountId}/transactions`,
    wallets: `/accounts/${accountId}/wallets`,
    balances: `/accounts/${accountId}/wallets/balances`,
    offerings: '/offerings',
  }

  const page = (name: string, query = '') => tenant.get(`${lists[name]}${query}`)
  const keyOf = (row: Record<string, string>) => row['id'] ?? row['wallet_id']

  for (const name of Object.keys(lists)) {
    test(`R165, R166, R169, R170, R176: ${name}: seven members, the exact count and the defaults`, async () => {
      const { body } = await page(name)
      assert.deepEqual(body.pagination, {
        count: rows,
        total_pages: 3,
        current_page: 1,
        limit: 10,
        offset: 0,
        next: `${api.baseUrl}/api${lists[name]}?limit=10&offset=10`,
        previous: null,
      })
      assert.equal(body.results.length, 10)
    })

    test(`R172, R173, R174, R175: ${name}: next visits every row once, previous leads back`, async () => {
      const seen: (string | undefined)[] = []
      const sizes: number[] = []
      let url: string | null = `${api.baseUrl}/api${lists[name]}`
      let last: string | undefined
      while (url) {
        const response = await tenant.get(url.slice(`${api.baseUrl}/api`.length))
        seen.push(...response.body.results.map(keyOf))
        sizes.push(response.body.results.length)
        last = url
        url = response.body.pagination.next
      }
      assert.deepEqual(sizes, [10, 10, 5])
      assert.equal(new Set(seen).size, rows)
      let back: string | null = last ?? null
      let steps = 0
      while (back) {
        const { pagination } = (await tenant.get(back.slice(`${api.baseUrl}/api`.length))).body
        back = pagination.previous
        steps += 1
        if (!back) assert.equal(pagination.offset, 0)
      }
      assert.equal(steps, 3)
    })

    test(`Q085: ${name}: direction=asc reverses the list, and the offset of an element never changes`, async () => {
      const all = (await page(name, '?limit=50')).body.results.map(keyOf)
      const asc = (await page(name, '?limit=50&direction=asc')).body.results.map(keyOf)
      assert.deepEqual(asc, all.toReversed())
      assert.deepEqual((await page(name, '?direction=desc')).body.results.map(keyOf), all.slice(0, 10))
      const { body } = await page(name, '?direction=asc&offset=7')
      assert.equal(keyOf(body.results[0]), asc[7])
      assert.match(body.pagination.next, /\?limit=10&offset=17&direction=asc$/)
    })
  }

  const ofOffering = 'orders of an offering'

  test('R167, R168, Q082: total_pages and current_page', async () => {
    const pagination = async (query: string) => (await page(ofOffering, query)).body.pagination
    for (const [query, totalPages, currentPage] of [
      ['?limit=10', 3, 1],
      ['?limit=50', 1, 1],
      ['?limit=25', 1, 1],
      ['?limit=24', 2, 1],
      ['?offset=10', 3, 2],
      ['?offset=5', 3, 1],
      ['?offset=25', 3, 3],
      ['?offset=9007199254740991', 3, 900719925474100],
    ] as const) {
      const { total_pages, current_page } = await pagination(query)
      assert.deepEqual([total_pages, current_page], [totalPages, currentPage], query)
    }
    const none = (await tenant.get(`/accounts/${empty}/orders`)).body.pagination
    assert.deepEqual(none, {
      count: 0,
      total_pages: 0,
      current_page: 1,
      limit: 10,
      offset: 0,
      next: null,
      previous: null,
    })
  })

  test('R169, R170, R171, Q081, Q084: limit 10 to 50 and offset 0 to 2^53 - 1, plain decimal integers', async () => {
    for (const limit of ['10', '11', '50'])
      assert.equal((await page(ofOffering, `?limit=${limit}`)).body.pagination.limit, Number(limit))
    for (const limit of [
      '9',
      '51',
      '0',
      '-1',
      'abc',
      '',
      '10.5',
      '1e1',
      '0x10',
      '%2B10',
      '%2010',
      '010',
      '10.0',
      'null',
    ])
      assertError(await page(ofOffering, `?limit=${limit}`), 400, 'validation_failed')
    for (const offset of [
      '-1',
      '9007199254740992',
      '9007199254740993',
      '99999999999999999999',
      '1.0',
      '9007199254740991.4',
      '',
    ])
      assertError(await page(ofOffering, `?offset=${offset}`), 400, 'validation_failed')
    for (const query of ['?limit=10&limit=20', '?offset=1&offset=1', '?direction=up', '?direction='])
      assertError(await page(ofOffering, query), 400, 'validation_failed')
    const far = await page(ofOffering, '?offset=9007199254740991')
    assert.deepEqual(
      [far.status, far.body.results, far.body.pagination.offset, far.body.pagination.next],
      [200, [], 9007199254740991, null],
    )
    assert.match(far.text, /"offset":9007199254740991,/)
    const message = (await page(ofOffering, '?limit=9')).body.error.message
    assert.equal(message, 'The query parameter limit must be a whole number from 10 to 50.')
  })

  test('R172, R173: links at the edges', async () => {
    const links = async (query: string) => {
      const { next, previous } = (await page(ofOffering, query)).body.pagination
      return [next, previous].map((url) => url?.split('?')[1] ?? null)
    }
    assert.deepEqual(await links('?offset=15'), [null, 'limit=10&offset=5'])
    assert.deepEqual(await links('?offset=14'), ['limit=10&offset=24', 'limit=10&offset=4'])
    assert.deepEqual(await links('?offset=5'), ['limit=10&offset=15', 'limit=10&offset=0'])
    assert.deepEqual(await links('?limit=25'), [null, null])
  })

  test('R250, Q001, Q083: links use the prefix of the request and the public base URL', async () => {
    const path = lists[ofOffering] ?? ''
    const underscored = await api.call('GET', path, { token: tenant.token, prefix: '/_api' })
    assert.equal(underscored.body.pagination.next, `${api.baseUrl}/_api${path}?limit=10&offset=10`)
    const behindProxy = await installation.startApi({ PUBLIC_BASE_URL: 'https://api.example.com/' })
    const response = await behindProxy.call('GET', path, { token: tenant.token })
    assert.equal(response.body.pagination.next, `https://api.example.com/api${path}?limit=10&offset=10`)
  })

  test('R177, Q041: benefiting persons are a plain array without limit and offset', async () => {
    const { status, body } = await tenant.get(`/accounts/${accountId}/benefiting-persons?limit=1&offset=x`)
    assert.deepEqual([status, body], [200, []])
  })

  const page7 = { direction: 'desc', limit: 10, offset: 7 } as const
  const keys = () => ({ tenantId: tenant.id, accountId, offeringId: (lists[ofOffering] ?? '').split('/')[2] ?? '' })
  /** Statements of the lists, keyed by the index that must serve each. */
  const selects: Record<string, (tx: Transaction) => Promise<unknown>> = {
    token_order_offering_position: (tx) => selectOrdersOfOffering(tx, keys(), page7),
    token_order_account_position: (tx) => selectOrdersOfAccount(tx, keys(), page7),
    token_transaction_position: (tx) => selectTransactionsOfAccount(tx, keys(), page7),
    wallet_position: (tx) => selectWalletsOfAccount(tx, keys(), page7),
    wallet_balance_position: (tx) => selectBalancesOfAccount(tx, keys(), { page: page7, language: null }),
    offering_position: (tx) => selectVisibleOfferings(tx, tenant.id, page7),
    account_position: (tx) => selectAccounts(tx, tenant.id, page7),
  }

  for (const [index, select] of Object.entries(selects))
    test(`the list on ${index} is one index seek: it counts no rows and skips none`, async () => {
      let sent: Sql | undefined
      const capture = (statement: Sql) => {
        sent = statement
        return []
      }
      await select(recordingTransaction(capture, () => undefined))
      const plan = await installation.owner(async (client) => {
        await client.query('set enable_seqscan = off; set enable_bitmapscan = off')
        const explained = await client.query<Record<string, string>>(`explain ${sent?.text}`, sent?.values)
        return explained.rows.map((line) => line['QUERY PLAN']).join('\n')
      })
      assert.match(plan, new RegExp(`Index (Only )?Scan Backward using ${index}`), plan)
      assert.doesNotMatch(plan, /Sort|Aggregate|Seq Scan/, plan)
      // No row is skipped, and the limit lets the planner expect few rows, however many the list has.
      assert.doesNotMatch(sent?.text ?? '', /\boffset\b/)
      assert.match(plan, /^Limit /)
    })
})
