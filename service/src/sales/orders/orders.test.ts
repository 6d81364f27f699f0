import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { company } from '../../../test/harness/data/bodies.ts'
import { TestTenant } from '../../../test/harness/data/tenant.ts'
import { assertError, assertInvalid } from '../../../test/harness/installation/api-client.ts'
import { useSharedApis } from '../../../test/harness/installation/running-installation.ts'
import { pluck } from '../../../test/harness/pluck.ts'
import { competeFor } from '../../../test/harness/wait.ts'
import { orderStatuses } from './order.schema.ts'
import { canBecome } from './order-status.ts'

describe('orders', async () => {
  const { installation, api } = await useSharedApis()
  const tenant = await TestTenant.create(installation, api)
  const accountId = await tenant.account()
  const offeringId = await tenant.fixtures.offering(tenant.id)

  const listed = ['currency', 'id', 'paid_amount', 'paid_at', 'payment_provider', 'status', 'total_amount', 'units']
  const cancel = (orderId: string, offering = offeringId) =>
    api.call('PATCH', `/offerings/${offering}/orders/${orderId}/cancel`, { token: tenant.token })

  test('R126, R124, R125, Q068: the list of an offering has the offering once and each account', async () => {
    await tenant.order(offeringId, accountId)
    const { body } = await tenant.get(`/offerings/${offeringId}/orders`)
    assert.deepEqual(Object.keys(body).toSorted(), ['offering', 'pagination', 'results'])
    assert.deepEqual(Object.keys(body.offering).length, 8)
    assert.deepEqual(Object.keys(body.results[0]).toSorted(), [...listed, 'account'].toSorted())
    assert.deepEqual(Object.keys(body.results[0].account).toSorted(), ['email', 'full_name', 'id', 'type'])
  })

  test('R127, R128, Q066: the list of an account has the account once and the offering in each result', async () => {
    await tenant.order(offeringId, accountId)
    const { body } = await tenant.get(`/accounts/${accountId}/orders`)
    assert.deepEqual(Object.keys(body).toSorted(), ['account', 'pagination', 'results'])
    assert.deepEqual(Object.keys(body.results[0]).toSorted(), [...listed, 'offering'].toSorted())
    assert.equal(Object.keys(body.results[0].offering).length, 8)
  })

  test('R129: an empty list has the summary', async () => {
    const [empty, withoutOrders] = [await tenant.fixtures.offering(tenant.id), await tenant.account(company)]
    const ofOffering = (await tenant.get(`/offerings/${empty}/orders`)).body
    assert.deepEqual([ofOffering.offering.id, ofOffering.results], [empty, []])
    const ofAccount = (await tenant.get(`/accounts/${withoutOrders}/orders`)).body
    assert.deepEqual([ofAccount.account.id, ofAccount.results], [withoutOrders, []])
  })

  test('R122, Q059: the summary has the name of a company and the current e-mail address', async () => {
    const companyId = await tenant.account(company)
    const id = await tenant.order(offeringId, companyId)
    const summary = async () => (await tenant.get(`/offerings/${offeringId}/orders/${id}`)).body.account
    const first = { id: companyId, full_name: 'Analytical GmbH', email: 'office@example.com', type: 'COMPANY' }
    assert.deepEqual(await summary(), first)
    await tenant.patch(`/accounts/${companyId}`, { communication: { email: 'new@example.com', email_confirmed: true } })
    assert.deepEqual(await summary(), { ...first, email: 'new@example.com' })
  })

  test('R131, Q065: 404 for an order of another offering and an unknown id, 400 for a malformed id', async () => {
    const id = await tenant.order(offeringId, accountId)
    const other = await tenant.fixtures.offering(tenant.id)
    assertError(await tenant.get(`/offerings/${other}/orders/${id}`), 404, 'not_found')
    assertError(await cancel(id, other), 404, 'not_found')
    assertError(await tenant.get(`/offerings/${offeringId}/orders/${crypto.randomUUID()}`), 404, 'not_found')
    assertInvalid(await tenant.get(`/offerings/${offeringId}/orders/x`))
    assert.equal((await tenant.get(`/offerings/${offeringId.toUpperCase()}/orders/${id.toUpperCase()}`)).body.id, id)
  })

  test('R132, Q063: cancel returns id, status and cancellation_date, and the order is CANCELLED', async () => {
    const id = await tenant.order(offeringId, accountId)
    const { status, body } = await cancel(id)
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body).toSorted(), ['cancellation_date', 'id', 'status'])
    assert.deepEqual([body.id, body.status], [id, 'CANCELLED'])
    assert.match(body.cancellation_date, /^\d{4}-\d\d-\d\dT.*Z$/)
    assert.equal((await tenant.get(`/offerings/${offeringId}/orders/${id}`)).body.status, 'CANCELLED')
  })

  test('R133, R134, Q064: cancel ignores an idempotency key and a body', async () => {
    const calls = [
      {},
      { headers: { 'x-idempotency-key': 'k'.repeat(129) } },
      { headers: { 'content-type': 'application/json' } },
      { body: {} },
      { body: '<xml/>', headers: { 'content-type': 'application/xml' } },
      { body: '{ no json' },
    ]
    for (const call of calls) {
      const id = await tenant.order(offeringId, accountId)
      const path = `/offerings/${offeringId}/orders/${id}/cancel`
      assert.equal((await api.call('PATCH', path, { token: tenant.token, ...call })).status, 200, JSON.stringify(call))
    }
    const key = { 'x-idempotency-key': crypto.randomUUID() }
    const [first, second] = [await tenant.order(offeringId, accountId), await tenant.order(offeringId, accountId)]
    for (const id of [first, second]) {
      const path = `/offerings/${offeringId}/orders/${id}/cancel`
      assert.equal((await api.call('PATCH', path, { token: tenant.token, headers: key })).body.id, id)
    }
  })

  test('R135, Q062: the second cancel returns exactly the same response', async () => {
    const id = await tenant.order(offeringId, accountId)
    const [first, second] = [await cancel(id), await cancel(id)]
    assert.deepEqual([second.status, second.text], [200, first.text])
  })

  for (const status of orderStatuses)
    test(`R135, R255, R121, Q061: cancelling an order that is ${status}`, async () => {
      const offering = await tenant.fixtures.offering(tenant.id, { total_units: '1000000000' })
      const id = await tenant.order(offering, accountId, '400000000')
      await tenant.fixtures.bringTo(tenant.id, id, status)
      for (const path of [`/offerings/${offering}/orders`, `/accounts/${accountId}/orders`])
        assert.equal(
          (await tenant.get(path)).body.results.find((order: { id: string }) => order.id === id).status,
          status,
        )
      const response = await cancel(id, offering)
      const available = async () => (await tenant.get(`/offerings/${offering}`)).body.available_units
      if (status === 'MINTING' || status === 'MINTED') {
        assertError(response, 409, 'order_not_cancellable')
        assert.equal((await tenant.get(`/offerings/${offering}/orders/${id}`)).body.status, status)
        assert.equal(await available(), '600000000')
      } else {
        assert.equal(response.status, 200)
        assert.equal(await available(), '1000000000', 'the reserved units are available again, once')
      }
    })

  test('Q062: two concurrent cancels release the units once and return the same response', async () => {
    const offering = await tenant.fixtures.offering(tenant.id, { total_units: '1000' })
    const id = await tenant.order(offering, accountId, '400')
    const responses = await competeFor(installation, { table: 'cell.token_order', id }, () => [
      cancel(id, offering),
      cancel(id, offering),
    ])
    assert.deepEqual(new Set(pluck(responses, 'text')).size, 1)
    assert.equal((await tenant.get(`/offerings/${offering}`)).body.available_units, '1000')
  })

  test('64 clients that buy the last units never oversell, and every rejection is offering_sold_out', async () => {
    const offering = await tenant.fixtures.offering(tenant.id, { total_units: '100' })
    const accounts = await Promise.all(Array.from({ length: 8 }, () => tenant.account()))
    const clients = Array.from({ length: 64 }, async (_, client) => {
      const statuses: string[] = []
      for (let attempt = 0; attempt < 3; attempt++) {
        const body = { account_id: accounts[client % 8], units: String(1 + (client % 3)) }
        // A machine that is too slow for 64 clients at once responds 503 to some of them, and they retry.
        let response = await tenant.post(`/offerings/${offering}/orders`, body)
        while (response.status === 503) response = await tenant.post(`/offerings/${offering}/orders`, body)
        statuses.push(`${response.status} ${response.body.error?.code ?? ''}`)
      }
      return statuses
    })
    const seen = new Set((await Promise.all(clients)).flat())
    assert.deepEqual([...seen].toSorted(), ['201 ', '409 offering_sold_out'])
    const rows = await installation.rows(
      `select offering.reserved_units::int as reserved, sum(units)::int as sold, order_count::int as count,
                count(*)::int as rows, count(distinct offering_position)::int as positions,
                max(offering_position)::int as last
         from cell.offering join cell.token_order on token_order.offering_id = offering.id
         where offering.id = $1 group by offering.tenant_id, offering.id`,
      [offering],
    )
    const { reserved, sold, count, rows: orders, positions, last } = rows[0] as Record<string, number>
    assert.equal(reserved, sold)
    assert.ok((sold ?? 0) <= 100 && (sold ?? 0) >= 98, `sold ${sold}`)
    assert.deepEqual([count, positions, last], [orders, orders, (orders ?? 0) - 1])
  })

  test('R119, R120, R118: a paid order has paid_at, paid_amount and payment_provider', async () => {
    const order = { account_id: accountId, units: '1000000000', payment_provider: 'stripe' }
    const { id } = (await tenant.post(`/offerings/${offeringId}/orders`, order)).body
    await tenant.fixtures.pay(tenant.id, id)
    const { body } = await tenant.get(`/offerings/${offeringId}/orders/${id}`)
    assert.deepEqual(
      [body.paid_at, body.paid_amount, body.payment_provider],
      ['2026-07-02T10:00:00.000Z', 125, 'stripe'],
    )
  })

  test('R255, Q060: the allowed transitions are those of the specification', () => {
    const table = Object.fromEntries(
      orderStatuses.map((from) => [from, orderStatuses.filter((to) => canBecome(from, to))]),
    )
    assert.deepEqual(table, {
      ORDERED: ['PAID', 'NOPAYMENT', 'CANCELLED'],
      PAID: ['ORDERED', 'READYTOMINT', 'CANCELLED'],
      NOPAYMENT: ['ORDERED', 'PAID', 'CANCELLED'],
      READYTOMINT: ['ORDERED', 'PAID', 'MINTING', 'CANCELLED'],
      MINTING: ['READYTOMINT', 'MINTED'],
      MINTED: [],
      CANCELLED: [],
    })
  })

  test('R103 to R111, R113: offerings have the eight members of the contract and our extensions', async () => {
    const { body } = await tenant.get(`/offerings/${offeringId}`)
    assert.equal(Object.keys(body).length, 18)
    const list = await tenant.get('/offerings')
    assert.deepEqual(Object.keys(list.body).toSorted(), ['pagination', 'results'])
    assert.ok(list.body.results.every((offering: object) => Object.keys(offering).length === 18))
    assert.equal(typeof body.price_per_token, 'string')
    assert.equal(body.decimals, 8)
    const draft = await tenant.fixtures.offering(tenant.id, { status: 'DRAFT' })
    assertError(await tenant.get(`/offerings/${draft}`), 404, 'not_found')
    assertError(await tenant.get(`/offerings/${draft}/orders`), 404, 'not_found')
    assert.equal((await tenant.get('/offerings')).body.pagination.count, list.body.pagination.count)
  })
})
