import { fromMinorUnits } from '../../platform/base/money.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { insertRefund, lockDueRefunds, moveRefund } from '../refunds/refund.sql.ts'
import { coins } from './mint-preconditions.ts'
import type { LivingOrder } from './order-life.sql.ts'

/** Withdraws what is owed back for an order and was not sent yet, and tells how much that is in smallest coins. */
export async function takeBackRefunds(tx: Transaction, order: LivingOrder, now: Date): Promise<bigint> {
  const due = await lockDueRefunds(tx, order.tenantId, order.id)
  await Promise.all(due.map((refund) => moveRefund(tx, order.tenantId, refund, { to: 'withdrawn', now })))
  return due.reduce((sum, { amount }) => sum + coins(amount, order.currency), 0n)
}

/** What is more than the order costs is owed back again, this time for being too much. */
export async function oweExcess(
  tx: Transaction,
  { tenantId, id, currency }: LivingOrder,
  excess: bigint,
): Promise<void> {
  if (excess <= 0n) return
  const amount = fromMinorUnits(excess, currency)
  await insertRefund(tx, tenantId, { orderId: id, reason: 'overpaid', amount, currency })
}
