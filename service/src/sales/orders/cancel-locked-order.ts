import { ApiError } from '../../platform/api/errors/errors.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { moveOrder } from './move-order.ts'
import { orderErrors } from './order.errors.ts'
import type { LivingOrder } from './order-life.sql.ts'
import { canBecome } from './order-status.ts'

/** Cancels an order whose row the caller holds. One that is cancelled already stays as it is. */
export async function cancelLockedOrder(tx: Transaction, order: LivingOrder, now: Date): Promise<LivingOrder> {
  if (order.status === 'CANCELLED') return order
  if (!canBecome(order.status, 'CANCELLED'))
    throw new ApiError(
      orderErrors.order_not_cancellable,
      `An order that is ${order.status} can no longer be cancelled.`,
    )
  return moveOrder(tx, order, 'CANCELLED', { cancelledAt: now })
}
