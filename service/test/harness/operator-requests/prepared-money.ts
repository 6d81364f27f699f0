import { Fixtures } from '../data/fixtures.ts'
import type { TestInstallation } from '../installation/test-installation.ts'
import { failByHand } from '../money/fail-refund.ts'
import { createUnassignedPayment } from '../money/incoming-payment.ts'
import { createProvider } from '../servers/payment-provider.ts'
import type { OfTenant } from './operator-request.ts'
import { orderIn } from './prepared-sales.ts'

/** Creates a refund of an order that was paid after its deadline, and performs the given actions on it. */
export const refundAfter =
  (...actions: ('send' | 'fail')[]) =>
  async (installation: TestInstallation, { tenantId }: OfTenant): Promise<{ orderId: string; refundId: string }> => {
    const { orderId } = await orderIn('NOPAYMENT')(installation, { tenantId })
    await new Fixtures(installation).pay(tenantId, orderId)
    const api = await installation.operatorApi()
    const { results } = await api.call(tenantId, 'GET', `/refunds?order_id=${orderId}`)
    const refundId = results[0].id
    for (const name of actions)
      if (name === 'fail') await failByHand(installation, { tenantId, refundId })
      else await api.call(tenantId, 'POST', `/refunds/${refundId}/send`, { reference: 'RUN-1' })
    return { orderId, refundId }
  }

export const refund = refundAfter()

/** Creates an open payout with one refund. */
export async function payout(installation: TestInstallation, { tenantId }: OfTenant) {
  const { orderId, refundId } = await refund(installation, { tenantId })
  const api = await installation.operatorApi()
  const { id: payoutId } = await api.call(tenantId, 'POST', '/payouts', {})
  return { orderId, refundId, payoutId }
}

/** Creates a payout whose file can be downloaded. */
export async function releasedPayout(installation: TestInstallation, { tenantId }: OfTenant) {
  const created = await payout(installation, { tenantId })
  await (await installation.operatorApi()).call(tenantId, 'POST', `/payouts/${created.payoutId}/release`)
  return created
}

export const unassigned = async (installation: TestInstallation, { tenantId }: OfTenant) => ({
  paymentId: await createUnassignedPayment(installation, tenantId),
})

/** Creates a payment that is booked to an order. */
export const booked = async (installation: TestInstallation, { tenantId }: OfTenant) => {
  const { orderId } = await orderIn('PAID')(installation, { tenantId })
  const api = await installation.operatorApi()
  const { results } = await api.call(tenantId, 'GET', `/orders/${orderId}/payments`)
  return { bookedPaymentId: results[0].id }
}

export const provider = async (installation: TestInstallation, { tenantId }: OfTenant) => ({
  providerId: (await createProvider(installation, tenantId)).id,
})
