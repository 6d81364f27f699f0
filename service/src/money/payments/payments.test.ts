import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { confirmAs } from '../../../test/harness/callers/second-person.ts'
import { assertError, assertInvalid } from '../../../test/harness/installation/api-client.ts'
import { useSharedApis } from '../../../test/harness/installation/running-installation.ts'
import { failByHand } from '../../../test/harness/money/fail-refund.ts'
import { createPaymentDesk } from '../../../test/harness/money/payment-desk.ts'
import { pluck } from '../../../test/harness/pluck.ts'
import { competeFor } from '../../../test/harness/wait.ts'
import { Placement } from '../../platform/postgres/cells/placement.ts'
import { expireOrder } from '../../sales/orders/expire-orders.ts'

describe('payments and refunds', async () => {
  const running = await useSharedApis()
  const { installation, api, operatorApi } = running
  const desk = await createPaymentDesk(running)
  const { tenant, operator, accountId, offeringId, readOrder: read, record: pay, paymentsOf, refundsOf } = desk
  /** Pays as a bank statement does. */
  const payByBank = async (orderId: string, amount: string) =>
    desk.report({ amount, paymentReference: await desk.referenceOf(orderId) })
  const refundStates = async (orderId: string) =>
    (await refundsOf(orderId)).map(
      ({ amount, reason, status }: Record<string, string>) => `${amount} ${reason} ${status}`,
    )
  const expire = (orderId: string) => {
    const { databases } = installation
    const inTwoYears = new Date(Date.now() + 730 * 86_400_000)
    return expireOrder({ databases, placement: new Placement(databases) }, { tenantId: tenant.id, orderId }, inTwoYears)
  }

  test('an order of 125.00 EUR that is paid in two parts is PAID after the second, and both are listed', async () => {
    const id = await tenant.order(offeringId, accountId)
    const first = await pay(id, '25')
    assert.equal(first.status, 201)
    assert.deepEqual(
      [first.body.order_id, first.body.amount, first.body.currency, first.body.provider],
      [id, '25.00', 'EUR', 'manual'],
    )
    const part = await read(id)
    assert.deepEqual([part.status, part.paid_amount, part.paid_at], ['ORDERED', 25, null])
    assert.match(part.blockers[0].message, /^100\.00 EUR are missing/)
    await pay(id, '100.00')
    const paid = await read(id)
    assert.deepEqual([paid.status, paid.paid_amount, paid.paid_at], ['PAID', 125, '2026-07-02T10:00:00.000Z'])
    const integratorView = (await tenant.get(`/offerings/${offeringId}/orders/${id}`)).body
    assert.deepEqual(
      [integratorView.status, integratorView.paid_amount, integratorView.paid_at],
      ['PAID', 125, '2026-07-02T10:00:00.000Z'],
    )
    assert.deepEqual(pluck(await paymentsOf(id), 'amount'), ['25.00', '100.00'])
    assert.deepEqual(await refundsOf(id), [])
  })

  test('an overpayment is refunded, also when the order is already paid', async () => {
    const id = await tenant.order(offeringId, accountId)
    await payByBank(id, '130.50')
    await payByBank(id, '1.00')
    const order = await read(id)
    assert.deepEqual([order.status, order.paid_amount], ['PAID', 125])
    assert.deepEqual(await refundStates(id), ['5.50 overpaid due', '1.00 overpaid due'])
  })

  test('a payment recorded by hand may exceed what the order needs by 1 %, once', async () => {
    const id = await tenant.order(offeringId, accountId)
    await pay(id, '25')
    const tooMuch = await pay(id, '101.26')
    assertError(tooMuch, 409, 'payment_exceeds_order')
    assert.match(tooMuch.body.error.message, /needs 100\.00 EUR.* at most 101\.25 EUR.*1\.25 EUR/)
    assertError(await pay(id, '1000000.00'), 409, 'payment_exceeds_order')
    assert.equal((await pay(id, '101.25')).status, 201)
    assertError(await pay(id, '0.01'), 409, 'payment_exceeds_order')
    assert.deepEqual([(await read(id)).paid_amount, (await refundsOf(id)).length], [125, 1])
  })

  test('money that is due for refund counts, so that repeated payments by hand cannot add up', async () => {
    for (const status of ['NOPAYMENT', 'CANCELLED'] as const) {
      const id = await tenant.order(offeringId, accountId)
      await tenant.fixtures.bringTo(tenant.id, id, status)
      assertError(await pay(id, '126.26'), 409, 'payment_exceeds_order')
      assert.equal((await pay(id, '126.25')).status, 201)
      assertError(await pay(id, '0.01'), 409, 'payment_exceeds_order')
      const [refund] = await refundsOf(id)
      await operator.post(`/refunds/${refund.id}/send`, { reference: 'RUN-1' })
      await failByHand(installation, { tenantId: tenant.id, refundId: refund.id })
      assertError(await pay(id, '0.01'), 409, 'payment_exceeds_order')
    }
  })

  test('the tolerance for payments by hand is 10.00 at most', async () => {
    const id = await tenant.order(offeringId, accountId, '100000000000')
    assertError(await pay(id, '12510.01'), 409, 'payment_exceeds_order')
    assert.equal((await pay(id, '12510.00')).status, 201)
  })

  test('an order that lacks one cent is not paid, unless the tolerance of the offering allows it', async () => {
    const id = await tenant.order(offeringId, accountId)
    await pay(id, '124.99')
    assert.equal((await read(id)).status, 'ORDERED')
    const tolerant = await tenant.fixtures.offering(tenant.id, { payment_tolerance: '0.01' })
    const other = await tenant.order(tolerant, accountId)
    await pay(other, '124.98')
    assert.equal((await read(other)).status, 'ORDERED')
    await pay(other, '0.01')
    assert.deepEqual([(await read(other)).status, (await read(other)).paid_amount], ['PAID', 124.99])
  })

  test('recording the same reference twice records one payment; with other contents it is rejected', async () => {
    const id = await tenant.order(offeringId, accountId)
    const once = { reference: crypto.randomUUID() }
    const [first, second] = [await pay(id, '125', once), await pay(id, '125', once)]
    assert.deepEqual([first.status, second.status, second.text], [201, 201, first.text])
    assert.deepEqual([(await read(id)).paid_amount, await refundsOf(id)], [125, []])
    assertError(await pay(id, '126', once), 409, 'payment_conflict')
    const other = await tenant.order(offeringId, accountId)
    assertError(await pay(other, '125', once), 409, 'payment_conflict')
    assert.equal((await read(other)).paid_amount, 0)
  })

  test('two concurrent requests with the same reference record one payment', async () => {
    const id = await tenant.order(offeringId, accountId)
    const once = { reference: crypto.randomUUID() }
    const [one, other] = await competeFor(installation, { table: 'cell.token_order', id }, () => [
      pay(id, '125', once),
      pay(id, '125', once),
    ])
    assert.equal(one?.text, other?.text)
    assert.deepEqual([(await read(id)).paid_amount, await refundsOf(id)], [125, []])
  })

  test('another currency, fractions of a cent, zero and malformed amounts are rejected', async () => {
    const id = await tenant.order(offeringId, accountId)
    assertError(await pay(id, '125', { currency: 'USD' }), 409, 'payment_currency_mismatch')
    for (const amount of ['0', '0.00', '0.001', '-1', '1e3', '01', '1,5', '', '1.', '.5', 'NaN', '9'.repeat(30)])
      assertInvalid(await pay(id, amount))
    assert.deepEqual(await paymentsOf(id), [])
    assertError(await pay(crypto.randomUUID(), '1'), 404, 'not_found')
  })

  test('an expired order releases its units and refunds part payments; an extension reverses both', async () => {
    const scarce = await tenant.fixtures.offering(tenant.id, { total_units: '1000000000' })
    const available = async () => (await tenant.get(`/offerings/${scarce}`)).body.available_units
    const id = await tenant.order(scarce, accountId)
    await pay(id, '25')
    assert.equal(await available(), '0')
    await expire(id)
    const overdue = await read(id)
    assert.deepEqual([overdue.status, overdue.paid_amount, await available()], ['NOPAYMENT', 0, '1000000000'])
    assert.deepEqual(overdue.blockers[0].code, 'payment_overdue')
    assert.deepEqual((await refundsOf(id))[0].reason, 'not_paid_in_time')
    const due = new Date(Date.now() + 86_400_000).toISOString()
    const extended = await operator.post(`/orders/${id}/extend`, { payment_due_at: due })
    const { status, paid_amount: paid, payment_due_at: dueAt } = extended.body
    assert.deepEqual([extended.status, status, paid, dueAt, await available()], [200, 'ORDERED', 25, due, '0'])
    assert.equal((await refundsOf(id))[0].status, 'withdrawn')
    assertInvalid(await operator.post(`/orders/${id}/extend`, { payment_due_at: '2020-01-01T00:00:00Z' }))
  })

  test('a late payment is refunded immediately, and can be accepted if it covers the total', async () => {
    const id = await tenant.order(offeringId, accountId)
    await expire(id)
    assertError(await operator.post(`/orders/${id}/accept-late-payment`), 409, 'order_underpaid')
    await pay(id, '100')
    assertError(await operator.post(`/orders/${id}/accept-late-payment`), 409, 'order_underpaid')
    await pay(id, '26')
    const accepted = await operator.post(`/orders/${id}/accept-late-payment`)
    assert.deepEqual([accepted.status, accepted.body.status, accepted.body.paid_amount], [200, 'PAID', 125])
    assert.deepEqual(await refundStates(id), ['100.00 late withdrawn', '26.00 late withdrawn', '1.00 overpaid due'])
    assertError(await operator.post(`/orders/${id}/accept-late-payment`), 409, 'order_not_in_state')
  })

  test('a refund that was sent does not count as a payment again', async () => {
    const id = await tenant.order(offeringId, accountId)
    await expire(id)
    await pay(id, '125')
    const [refund] = await refundsOf(id)
    await operator.post(`/refunds/${refund.id}/send`, { reference: 'RUN-1' })
    assertError(await operator.post(`/orders/${id}/accept-late-payment`), 409, 'order_underpaid')
    const extended = await operator.post(`/orders/${id}/extend`, { payment_due_at: '2099-01-01T00:00:00.000Z' })
    assert.deepEqual([extended.body.status, extended.body.paid_amount], ['ORDERED', 0])
  })

  test('Q061, Q055: cancelling a paid order refunds the amount paid, once, and it has no paid_at', async () => {
    const id = await tenant.order(offeringId, accountId)
    await pay(id, '125')
    const cancel = () => api.call('PATCH', `/offerings/${offeringId}/orders/${id}/cancel`, { token: tenant.token })
    const [first, second] = [await cancel(), await cancel()]
    assert.equal(first.text, second.text)
    assert.deepEqual(await refundStates(id), ['125.00 cancelled due'])
    await payByBank(id, '7.00')
    assert.deepEqual(await refundStates(id), ['125.00 cancelled due', '7.00 cancelled due'])
    const again = await operator.post(`/orders/${id}/cancel`, { reason: 'again' })
    assert.deepEqual([again.status, again.body.status, again.body.paid_amount], [200, 'CANCELLED', 0])
    assert.equal(again.body.paid_at, null)
  })

  test('a refund can be sent, fail, be retried and settle; repeating a change does nothing', async () => {
    const id = await tenant.order(offeringId, accountId)
    await pay(id, '126')
    const [{ id: refundId }] = await refundsOf(id)
    const move = (verb: string, body?: unknown) => operator.post(`/refunds/${refundId}/${verb}`, body)
    assertError(await move('settle'), 409, 'refund_not_in_state')
    const sent = await move('send', { reference: 'RUN-1' })
    assert.deepEqual([sent.body.status, sent.body.reference], ['sent', 'RUN-1'])
    assert.equal((await move('send', { reference: 'RUN-2' })).text, sent.text)
    const second = await installation.createOperator(tenant.id)
    const moveTogether = async (verb: string, body?: unknown) =>
      (await confirmAs(operatorApi, second, await move(verb, body))).body.result
    const failed = await moveTogether('fail', { failure: 'AC04 closed account' })
    assert.deepEqual([failed.status, failed.failure], ['failed', 'AC04 closed account'])
    assertError(await move('settle'), 409, 'refund_not_in_state')
    assert.deepEqual([(await moveTogether('retry')).status, (await move('retry')).body.reference], ['due', null])
    await move('send', { reference: 'RUN-3' })
    assert.equal((await move('settle')).body.status, 'settled')
    assertError(await move('fail', { failure: 'x' }), 409, 'refund_not_in_state')
    assert.equal((await operator.get(`/refunds/${refundId}`)).body.status, 'settled')
    const settled = (await operator.get('/refunds?status=settled')).body
    assert.deepEqual([settled.pagination.count, settled.results[0].id], [1, refundId])
  })

  test('orders can be filtered by payment reference, status, offering and account', async () => {
    const id = await tenant.order(offeringId, accountId)
    const { payment_reference: reference } = await read(id)
    assert.match(reference, /^RF\d\d[A-HJ-NP-Z]{14}$/)
    const found = (await operator.get(`/orders?payment_reference=${reference}`)).body
    assert.deepEqual([found.pagination.count, found.results[0].id], [1, id])
    const filters = `status=ORDERED&offering_id=${offeringId}&account_id=${accountId}`
    const narrowed = (await operator.get(`/orders?${filters}&limit=50`)).body
    assert.ok(narrowed.results.some((order: { id: string }) => order.id === id))
    assert.ok(narrowed.results.every((order: { status: string }) => order.status === 'ORDERED'))
    assert.equal((await operator.get(`/orders?account_id=${crypto.randomUUID()}`)).body.pagination.count, 0)
  })
})
