import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { DirectOperations } from '../../../test/harness/callers/operations.ts'
import { individual } from '../../../test/harness/data/bodies.ts'
import { Fixtures } from '../../../test/harness/data/fixtures.ts'
import { sharedInstallation } from '../../../test/harness/installation/shared-installation.ts'
import { createAccount } from '../../sales/accounts/create-account.ts'
import { createOrder } from '../../sales/orders/create-order.ts'
import { extendPaymentDeadline } from '../../sales/orders/operator/extend-payment-deadline.ts'
import { getOrderForOperator } from '../../sales/orders/operator/get-order-for-operator.ts'
import { acceptLatePayment } from './operator/accept-late-payment.ts'
import { recordPayment } from './operator/record-payment.ts'

describe('late payments of an order of 125.00 EUR with a tolerance of 0.05', async () => {
  const installation = await sharedInstallation()
  after(() => installation.end())
  const tenantId = await installation.createTenant('T')
  const direct = new DirectOperations(installation, tenantId)
  const fixtures = new Fixtures(installation)
  const offeringId = await fixtures.offering(tenantId, { payment_tolerance: '0.05' })
  const accountId = (await direct.run(createAccount, { body: individual })).id

  const orderPaidLate = async (amount: string) => {
    const body = { account_id: accountId, units: '1000000000' }
    const { id: orderId } = await direct.run(createOrder, { params: { offeringId }, body })
    await fixtures.bringTo(tenantId, orderId, 'NOPAYMENT')
    const payment = { amount, currency: 'EUR', reference: orderId, received_at: '2026-07-02T10:00:00.000Z' }
    await direct.run(recordPayment, { params: { orderId }, body: payment })
    return orderId
  }
  const read = async (orderId: string) => {
    const { status, paid_amount: paid } = await direct.run(getOrderForOperator, { params: { orderId } })
    return [status, paid]
  }

  test('money that is short by exactly the tolerance can be accepted', async () => {
    const orderId = await orderPaidLate('124.95')
    await direct.run(acceptLatePayment, { params: { orderId } })
    assert.deepEqual(await read(orderId), ['PAID', 124.95])
  })

  test('money that is short by one cent more cannot be accepted, and stays due for refund', async () => {
    const orderId = await orderPaidLate('124.94')
    await assert.rejects(direct.run(acceptLatePayment, { params: { orderId } }), { code: 'order_underpaid' })
    assert.deepEqual(await read(orderId), ['NOPAYMENT', 0])
  })

  test('an extension makes the order PAID at exactly the tolerance, and ORDERED one cent below', async () => {
    const body = { payment_due_at: '2099-01-01T00:00:00.000Z' }
    for (const [amount, expected] of [
      ['124.95', ['PAID', 124.95]],
      ['124.94', ['ORDERED', 124.94]],
    ] as const) {
      const orderId = await orderPaidLate(amount)
      await direct.run(extendPaymentDeadline, { params: { orderId }, body })
      assert.deepEqual(await read(orderId), expected)
    }
  })
})
