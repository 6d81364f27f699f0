import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { OperatorClient } from '../../../test/harness/callers/operator-client.ts'
import { TestTenant } from '../../../test/harness/data/tenant.ts'
import { assertError } from '../../../test/harness/installation/api-client.ts'
import type { RunningApi } from '../../../test/harness/installation/running-api.ts'
import { sharedInstallation } from '../../../test/harness/installation/shared-installation.ts'
import type { TestInstallation } from '../../../test/harness/installation/test-installation.ts'
import { reportPayment } from '../../../test/harness/money/incoming-payment.ts'

describe('refunds of money that only one operator has seen', () => {
  let installation: TestInstallation
  let api: RunningApi
  let operatorApi: RunningApi
  let tenant: TestTenant
  let operator: OperatorClient
  let offeringId: string

  before(async () => {
    installation = await sharedInstallation()
    ;[api, operatorApi] = await Promise.all([installation.startApi(), installation.startOperatorApi()])
  })
  after(() => installation.end())
  beforeEach(async () => {
    tenant = await TestTenant.create(installation, api)
    await secondPersonFrom('20000')
    operator = await OperatorClient.create(installation, operatorApi, tenant.id)
    offeringId = await tenant.fixtures.offering(tenant.id)
  })

  /** Sets the amount, in minor units, from which a manual payment needs a second person; null: none does. */
  const secondPersonFrom = (fromMinor: string | null) =>
    installation.owner((client) =>
      client.query(
        `update directory.approval_policy set from_minor = $2 where tenant_id = $1 and policy = 'manual_payment'`,
        [tenant.id, fromMinor],
      ),
    )
  /** An order of 125.00 per token whose payments all become refunds. */
  const lateOrder = async (tokens = 1n) => {
    const id = await tenant.order(offeringId, await tenant.account(), String(tokens * 10n ** 9n))
    await tenant.fixtures.bringTo(tenant.id, id, 'NOPAYMENT')
    return { id, reference: (await operator.get(`/orders/${id}`)).body.payment_reference as string }
  }
  const payment = (amount: string) => ({
    amount,
    currency: 'EUR',
    reference: crypto.randomUUID(),
    received_at: '2026-07-02T10:00:00.000Z',
  })
  const payByHand = async (orderId: string, amount: string) =>
    assert.equal((await operator.post(`/orders/${orderId}/payments`, payment(amount))).status, 201)
  const payByBank = (paymentReference: string, amount: string) =>
    reportPayment(installation, tenant.id, { amount, paymentReference })
  const payout = async () => {
    const { status, body, text } = await operator.post('/payouts', {})
    assert.equal(status, 201, text)
    return { sums: body.sums.map(({ amount }: { amount: string }) => amount), reasons: reasonsOf(body) }
  }
  const reasonsOf = ({ left_out: leftOut }: { left_out: { reason: string }[] }) => leftOut.map(({ reason }) => reason)

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
    const { status, text } = await operator.postTogether(`/orders/${id}/payments`, payment('250.00'))
    assert.equal(status, 200, text)
    const [recorded] = (await operator.get(`/orders/${id}/payments`)).body.results
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
    const id = await tenant.order(offeringId, await tenant.account())
    const { payment_reference: reference } = (await operator.get(`/orders/${id}`)).body
    await payByBank(reference, '125.00')
    await payByHand(id, '1.25')
    assertError(await operator.post('/payouts', {}), 409, 'no_refund_due')
  })

  test('a download leaves out a refund whose money was taken back after the payout was created', async () => {
    const id = await tenant.order(offeringId, await tenant.account())
    const { payment_reference: reference } = (await operator.get(`/orders/${id}`)).body
    for (const amount of ['30.00', '30.00']) await payByBank(reference, amount)
    await tenant.fixtures.bringTo(tenant.id, id, 'NOPAYMENT')
    const [bankPayment] = (await operator.get(`/orders/${id}/payments`)).body.results
    assert.deepEqual(await payout(), { sums: ['60.00'], reasons: [] })
    const [{ id: payoutId }] = (await operator.get('/payouts')).body.results
    // The reversal takes the refund of exactly this amount, so the one in the payout stays due and is half covered.
    const byHand = { ...payment('30.00'), is_additional: true }
    assert.equal((await operator.post(`/orders/${id}/payments`, byHand)).status, 201)
    assert.equal((await operator.post(`/payments/${bankPayment.id}/reverse`, { reason: 'wrong order' })).status, 200)
    const refunds = async () =>
      (await operator.get(`/refunds?order_id=${id}&direction=asc`)).body.results.map(
        ({ amount, status }: { amount: string; status: string }) => `${amount} ${status}`,
      )
    assert.deepEqual(await refunds(), ['60.00 due', '30.00 withdrawn'])
    await operator.post(`/payouts/${payoutId}/release`)
    const response = await operatorApi.call('POST', `/payouts/${payoutId}/download`, {
      token: operator.who.token,
      fileType: 'application/xml',
    })
    assertError(response, 409, 'payout_empty')
    assert.deepEqual(await refunds(), ['60.00 due', '30.00 withdrawn'])
  })

  test('a tenant that needs no second person for manual payments pays their refunds', async () => {
    await secondPersonFrom(null)
    const { id } = await lateOrder()
    await payByHand(id, '125.00')
    assert.deepEqual(await payout(), { sums: ['125.00'], reasons: [] })
  })
})
