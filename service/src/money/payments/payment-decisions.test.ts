import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { confirmAs } from '../../../test/harness/callers/second-person.ts'
import { newOffering } from '../../../test/harness/data/bodies.ts'
import { recordedChanges } from '../../../test/harness/data/recorded.ts'
import { type ApiResponse, assertError, assertInvalid } from '../../../test/harness/installation/api-client.ts'
import { useSharedApis } from '../../../test/harness/installation/running-installation.ts'
import { assertMoneyAddsUp } from '../../../test/harness/money/money-check.ts'
import { createPaymentDesk } from '../../../test/harness/money/payment-desk.ts'
import { assertValidRefundFile, readRefundFile } from '../../../test/harness/money/refund-file.ts'
import { pluck } from '../../../test/harness/pluck.ts'

const payerIban = 'DE02120300000000202051'

describe('decisions of operators about payments', async () => {
  const running = await useSharedApis()
  const { installation, operatorApi } = running
  const { tenant, operator, accountId, order, orderState, record, report, reportUnassigned, paymentsOf } =
    await createPaymentDesk(running)
  afterEach(() => assertMoneyAddsUp(installation, tenant.id))

  const read = async (paymentId: string) => (await operator.get(`/unassigned-payments/${paymentId}`)).body
  const paymentOf = async (orderId: string) => (await paymentsOf(orderId))[0]
  const succeeded = ({ status, text, body }: ApiResponse) => {
    assert.equal(status, 200, text)
    return body
  }
  const split = (paymentId: string, ...parts: [string, string][]) =>
    operator.post(`/unassigned-payments/${paymentId}/split`, {
      parts: parts.map(([order_id, amount]) => ({ order_id, amount })),
    })
  const reverse = (paymentId: string) => operator.post(`/payments/${paymentId}/reverse`, { reason: 'wrong order' })

  test('a payment is split over orders; the rest stays unassigned and can be assigned', async () => {
    const [one, other, third] = [await order(), await order(), await order()]
    const paymentId = await reportUnassigned({ amount: '300.00' })
    const some = succeeded(await split(paymentId, [one.id, '125.00'], [other.id, '50.00']))
    assert.deepEqual([some.status, some.unassigned_amount, some.parts.length], ['open', '125.00', 2])
    assert.deepEqual(await orderState(one.id), ['PAID', 125])
    assert.deepEqual(await orderState(other.id), ['ORDERED', 50])
    await assertMoneyAddsUp(installation, tenant.id)
    // The suggestions fit the unassigned rest.
    const suggested = pluck((await read(paymentId)).suggestions, 'order_id')
    assert.ok(suggested.includes(third.id) && !suggested.includes(other.id))
    const rest = succeeded(await operator.post(`/unassigned-payments/${paymentId}/assign`, { order_id: third.id }))
    assert.deepEqual([rest.status, rest.unassigned_amount, rest.order_id], ['split', '0', null])
    assert.deepEqual(await orderState(third.id), ['PAID', 125])
    assertError(await split(paymentId, [other.id, '1.00']), 409, 'unassigned_payment_not_open')
  })

  test('409: a split of more than is unassigned, or over an order in another currency, changes nothing', async () => {
    const one = await order()
    const dollars = await tenant.order(await tenant.fixtures.offering(tenant.id, { currency: 'USD' }), accountId)
    const paymentId = await reportUnassigned({ amount: '100.00' })
    assertError(await split(paymentId, [one.id, '100.01']), 409, 'payment_split_invalid')
    assertError(await split(paymentId, [one.id, '10.00'], [dollars, '1.00']), 409, 'payment_currency_mismatch')
    assertInvalid(await split(paymentId, [one.id, '10.00'], [one.id, '1.00']))
    assertInvalid(await split(paymentId, [one.id, '0.001']))
    assert.deepEqual((await read(paymentId)).unassigned_amount, '100.00')
    assert.deepEqual(await orderState(one.id), ['ORDERED', 0])
  })

  test('a returned payment is a refund to its payer in the next payout, without an order', async () => {
    const paymentId = await reportUnassigned({ amount: '77.00' })
    const returned = succeeded(
      await operator.post(`/unassigned-payments/${paymentId}/return`, { reason: 'not an investor' }),
    )
    assert.deepEqual([returned.status, returned.unassigned_amount], ['returned', '0'])
    const [{ refund_id: refundId }] = returned.parts
    await operator.post(`/unassigned-payments/${paymentId}/return`, { reason: 'again' })
    assert.equal((await read(paymentId)).parts.length, 1)
    const refund = (await operator.get(`/refunds/${refundId}`)).body
    assert.deepEqual(
      [refund.status, refund.order_id, refund.reason, refund.unassigned_payment_id],
      ['due', null, 'not_assigned', paymentId],
    )
    assertError(await operator.post(`/refunds/${refundId}/approve-account`), 409, 'refund_not_in_state')
    const payout = await operator.post('/payouts', {})
    assert.deepEqual(payout.body.left_out, [], payout.text)
    await operator.post(`/payouts/${payout.body.id}/release`)
    const file = await operator.download(`/payouts/${payout.body.id}/download`)
    assertValidRefundFile(file.text)
    const transfers = readRefundFile(file.text).blocks.flatMap((block) =>
      block.transfers.map(({ iban, amount }) => [block.debtor, iban, amount]),
    )
    assert.ok(
      transfers.some((one) => one.join() === [newOffering.collection_account.iban, payerIban, '77.00'].join()),
      JSON.stringify(transfers),
    )
    assert.equal((await operator.get(`/refunds/${refundId}`)).body.status, 'sent')
    const [transfer] = (await operator.get(`/payouts/${payout.body.id}/transfers`)).body.results
    assert.deepEqual([transfer.order_id, transfer.source], [null, 'payer'])
    assert.equal(succeeded(await operator.post(`/refunds/${refundId}/settle`)).status, 'settled')
  })

  test('409: a payment without the IBAN of its payer cannot be returned', async () => {
    const paymentId = await reportUnassigned({ provider: 'stripe', payer: { name: 'Ada', iban: null } })
    const response = await operator.post(`/unassigned-payments/${paymentId}/return`, { reason: 'unknown' })
    assertError(response, 409, 'payer_account_unknown')
  })

  test('a payment that was booked to the wrong order is detached from it and assigned to the right one', async () => {
    const [wrong, right] = [await order(), await order()]
    const reference = crypto.randomUUID()
    await report({ reference, paymentReference: wrong.reference })
    const payment = await paymentOf(wrong.id)
    const reversed = succeeded(await reverse(payment.id))
    assert.ok(reversed.reversed_at)
    assert.deepEqual(await orderState(wrong.id), ['ORDERED', 0])
    await assertMoneyAddsUp(installation, tenant.id)
    const open = await read(reversed.unassigned_payment_id)
    assert.deepEqual([open.status, open.unassigned_amount, open.payer_name], ['open', '125.00', 'Ada Lovelace'])
    await operator.post(`/unassigned-payments/${open.id}/assign`, { order_id: right.id })
    assert.deepEqual(await orderState(right.id), ['PAID', 125])
    // A repeated report is the same money, wherever it is now. The payment can be detached once more.
    const again = await report({ reference, paymentReference: wrong.reference })
    assert.equal(again.isNew, false)
    assertError(await reverse(payment.id), 409, 'payment_not_reversible')
    succeeded(await reverse((await paymentOf(right.id)).id))
    assert.deepEqual(await orderState(right.id), ['ORDERED', 0])
    assert.deepEqual((await read(open.id)).unassigned_amount, '125.00')
  })

  test('a payment recorded by hand no longer counts once it is reversed, and cannot be returned', async () => {
    const { id } = await order()
    await tenant.fixtures.pay(tenant.id, id)
    const reversed = succeeded(await reverse((await paymentOf(id)).id))
    assert.equal(reversed.unassigned_payment_id, null)
    assert.deepEqual(await orderState(id), ['ORDERED', 0])
  })

  for (const status of ['MINTING', 'MINTED'] as const)
    test(`409: the payment of an order that is ${status} cannot be reversed`, async () => {
      const { id } = await order()
      await tenant.fixtures.bringTo(tenant.id, id, status)
      const response = await reverse((await paymentOf(id)).id)
      assertError(response, 409, 'payment_not_reversible')
      assert.match(response.body.error.message, new RegExp(`the order is ${status}`))
      assert.deepEqual(await orderState(id), [status, 125])
    })

  test('every change is in the audit log with its actor and no personal data', async () => {
    const { id } = await order()
    const payment = await record(id, '125')
    await operator.post(`/orders/${id}/cancel`, { reason: 'The investor has withdrawn.' })
    const byUser = { actor_type: 'user', actor_id: operator.who.userId }
    assert.deepEqual(await recordedChanges(installation, id), [
      {
        action: 'payment.recorded',
        ...byUser,
        before: { status: 'ORDERED', paid_amount: '0' },
        after: { status: 'PAID', paid_amount: '125.00', amount: '125.00', payment_id: payment.body.id },
      },
      {
        action: 'order.cancelled',
        ...byUser,
        before: { status: 'PAID', paid_amount: '125.00' },
        after: { status: 'CANCELLED', paid_amount: '0', reason: 'The investor has withdrawn.' },
      },
    ])
  })

  test('assigning, splitting, returning and reversing need a second person by default', async () => {
    const second = await installation.createOperator(tenant.id)
    const other = await order()
    const bookedOrder = await order()
    await report({ paymentReference: bookedOrder.reference })
    const booked = await paymentOf(bookedOrder.id)
    await installation.useDefaultPolicies(tenant.id)
    const foreign = await reportUnassigned({ payer: { name: 'Charles Babbage', iban: payerIban } })
    const proposal = await operator.post(`/unassigned-payments/${foreign}/assign`, { order_id: other.id })
    assert.equal(proposal.status, 202, proposal.text)
    assert.equal((await read(foreign)).status, 'open')
    assert.equal((await confirmAs(operatorApi, second, proposal)).status, 200)
    assert.equal((await read(foreign)).status, 'assigned')
    const others = [
      await split(await reportUnassigned(), [bookedOrder.id, '1.00']),
      await operator.post(`/unassigned-payments/${await reportUnassigned()}/return`, { reason: 'unknown' }),
      await reverse(booked.id),
    ]
    for (const one of others) assert.equal(one.status, 202, one.text)
    // The order has changed since the reversal was proposed.
    await report({ amount: '1.00', paymentReference: bookedOrder.reference })
    assert.deepEqual(await orderState(bookedOrder.id), ['PAID', 125])
  })
})
