import { Money } from '../../platform/base/money.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { insertRefund, lockWithdrawableRefunds, moveRefund } from '../refunds/refund.sql.ts'
import type { OrderWithOffering } from './order-transition.sql.ts'

/** Withdraws an order's due refunds whose money has not left. Returns their sum. */
export async function withdrawDueRefunds(tx: Transaction, order: OrderWithOffering, now: Date): Promise<Money> {
  const due = await lockWithdrawableRefunds(tx, order.tenantId, order.id)
  await tx.each(due, (tx, refund) => moveRefund(tx, order.tenantId, refund, { to: 'withdrawn', now }))
  return due.reduce((sum, { amount }) => sum.plus(amount), Money.zero(order.currency))
}

/** Refunds the amount above the total of the order, with the reason `overpaid`. */
export async function refundExcess(tx: Transaction, { tenantId, id }: OrderWithOffering, excess: Money): Promise<void> {
  if (excess.isPositive) await insertRefund(tx, tenantId, { orderId: id, reason: 'overpaid', amount: excess })
}
