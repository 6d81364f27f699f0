import type { Static } from 'typebox'
import type { OperatorOrder } from '../../sales/orders/operator/operator-order.schema.ts'
import type { SimulatedOrder } from './simulation.schema.ts'

export function viewSimulatedOrder(order: Static<typeof OperatorOrder>): Static<typeof SimulatedOrder> {
  const { id, status, paid_amount, total_amount, currency, payment_reference, payment_due_at, blockers } = order
  return { id, status, paid_amount, total_amount, currency, payment_reference, payment_due_at, blockers }
}
