import { ApiError } from '../../platform/api/errors/errors.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { orderErrors } from './order.errors.ts'
import { canBecome } from './order-status.ts'
import type { OrderWithOffering } from './order-transition.sql.ts'
import { transitionOrder } from './transition-order.ts'

/** Cancels an order whose row the caller has locked. Does nothing if it is already cancelled. */
export async function cancelLockedOrder(
  tx: Transaction,
  order: OrderWithOffering,
  now: Date,
): Promise<OrderWithOffering> {
  if (order.status === 'CANCELLED') return order
  if (!canBecome(order.status, 'CANCELLED'))
    throw new ApiError(
      orderErrors.order_not_cancellable,
      `An order that is ${order.status} can no longer be cancelled.`,
    )
  return transitionOrder(tx, order, 'CANCELLED', { cancelledAt: now })
}
