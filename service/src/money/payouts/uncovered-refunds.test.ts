import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { assertError } from '../../../test/harness/installation/api-client.ts'
import { useSharedApis } from '../../../test/harness/installation/running-installation.ts'
import { setThreshold } from '../../../test/harness/installation/test-tenants.ts'
import { createPaymentDesk, newPayment } from '../../../test/harness/money/payment-desk.ts'
import { pluck } from '../../../test/harness/pluck.ts'

describe('refunds of money that only one operator has seen', async () => {
  const running = await useSharedApis()
  let desk: Awaited<ReturnType<typeof createPaymentDesk>>
  let operator: typeof desk.operator

  beforeEach(async () => {
    desk = await createPaymentDesk(running)
    operator = desk.operator
    await secondPersonFrom(20_000)
  })

  const secondPersonFrom = (fromMinor: number | null) =>
    setThreshold(running.installation, desk.tenant.id, 'manual_payment', fromMinor)
  /** An order of 125.00 per token whose payments all become refunds. */
  const lateOrder = async (tokens = 1n) => {
    const { tenant, offeringId, accountId, referenceOf } = desk
    const id = await tenant.order(offeringId, accountId, String(tokens * 10n ** 9n))
    await tenant.fixtures.bringTo(tenant.id, id, 'NOPAYMENT')
    return { id, reference: await referenceOf(id) }
  }
  const payByHand = async (orderId: string, amount: string, change?: object) =>
    assert.equal((await desk.record(orderId, amount, change)).status, 201)
  const payByBank = (paymentReference: string, amount: string) => desk.report({ amount, paymentReference })
  const payout = async () => {
    const { status, body, text } = await operator.post('/payouts', {})
    assert.equal(status, 201, text)
    return { sums: pluck(body.sums, 'amount'), reasons: pluck(body.left_out, 'reason') }
  }

  test('a refund of a payment that one operator recorded stays due, with what to do', async () => {
    const order = await lateOrder()
    await payByHand(order.id, '125.00')
    const response = await operator.post('/payouts', {})
    assertError(response, 409, 'no_refund_due')
    assert.match(response.body.error.message, /recorded by hand without a second person\. Import the bank statement/)
    const other = await lateOrder()
    await payByBank(other.reference, '125.00')
    assert.deepEqual(await payout(), { sums: ['125.00'], reasons: ['not_covered'] })
  })

  test('a refund of a payment that a second person confirmed is paid', async () => {
    const { id } = await lateOrder(2n)
    const { status, text } = await operator.postTogether(`/orders/${id}/payments`, newPayment('250.00'))
    assert.equal(status, 200, text)
    const [recorded] = await desk.paymentsOf(id)
    assert.match(recorded.approval_id, /^[0-9a-f-]{36}$/)
    assert.deepEqual(await payout(), { sums: ['250.00'], reasons: [] })
  })

  test('a refund is paid once the bank has reported the money that was recorded by hand', async () => {
    const order = await lateOrder()
    await payByHand(order.id, '125.00')
    assertError(await operator.post('/payouts', {}), 409, 'no_refund_due')
    assert.equal((await payByBank(order.reference, '125.00')).kind, 'duplicate')
    assert.deepEqual(await payout(), { sums: ['125.00'], reasons: [] })
  })

  test('money of the bank covers refunds up to its amount, whatever was recorded by hand before and after', async () => {
    const order = await lateOrder()
    await payByHand(order.id, '60.00')
    await payByBank(order.reference, '50.00')
    await payByHand(order.id, '15.00')
    assert.deepEqual(await payout(), { sums: ['50.00'], reasons: ['not_covered', 'not_covered'] })
    // The open payout has used up the money.
    assertError(await operator.post('/payouts', {}), 409, 'no_refund_due')
  })

  test('money of the bank that the order itself needs does not cover a refund', async () => {
    const { id, reference } = await desk.order()
    await payByBank(reference, '125.00')
    await payByHand(id, '1.25')
    assertError(await operator.post('/payouts', {}), 409, 'no_refund_due')
  })

  test('a download leaves out a refund whose money was taken back after the payout was created', async () => {
    const { id, reference } = await desk.order()
    for (const amount of ['30.00', '30.00']) await payByBank(reference, amount)
    await desk.tenant.fixtures.bringTo(desk.tenant.id, id, 'NOPAYMENT')
    const [bankPayment] = (await operator.get(`/orders/${id}/payments`)).body.results
    assert.deepEqual(await payout(), { sums: ['60.00'], reasons: [] })
    const [{ id: payoutId }] = (await operator.get('/payouts')).body.results
    // The reversal takes the refund of exactly this amount, so the one in the payout stays due and is half covered.
    await payByHand(id, '30.00', { is_additional: true })
    assert.equal((await operator.post(`/payments/${bankPayment.id}/reverse`, { reason: 'wrong order' })).status, 200)
    const refunds = async () =>
      (await desk.refundsOf(id)).map((one: Record<string, string>) => `${one['amount']} ${one['status']}`)
    assert.deepEqual(await refunds(), ['60.00 due', '30.00 withdrawn'])
    await operator.post(`/payouts/${payoutId}/release`)
    assertError(await operator.download(`/payouts/${payoutId}/download`), 409, 'payout_empty')
    assert.deepEqual(await refunds(), ['60.00 due', '30.00 withdrawn'])
  })

  test('a tenant that needs no second person for manual payments pays their refunds', async () => {
    await secondPersonFrom(null)
    const { id } = await lateOrder()
    await payByHand(id, '125.00')
    assert.deepEqual(await payout(), { sums: ['125.00'], reasons: [] })
  })
})
