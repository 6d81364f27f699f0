import type { Static } from 'typebox'
import type { DistributionPreview } from '../distributions/distribution.schema.ts'
import type { OperatorOrder } from '../sales/orders/operator/operator-order.schema.ts'
import type { SimulatedOrder } from './simulation.schema.ts'
import type { SimulatedDistribution } from './simulation-of-holders.schema.ts'

export function viewSimulatedOrder(order: Static<typeof OperatorOrder>): Static<typeof SimulatedOrder> {
  const { id, status, paid_amount, total_amount, currency, payment_reference, payment_due_at, blockers } = order
  return { id, status, paid_amount, total_amount, currency, payment_reference, payment_due_at, blockers }
}

export function viewSimulatedDistribution(
  distribution: Static<typeof DistributionPreview>,
): Static<typeof SimulatedDistribution> {
  const { id, offering_id, kind, status, record_at, pay_on, currency } = distribution
  const { rate_per_token, holders, amount, totals } = distribution
  return { id, offering_id, kind, status, record_at, pay_on, currency, rate_per_token, holders, amount, totals }
}
