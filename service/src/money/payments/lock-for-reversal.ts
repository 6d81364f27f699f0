import type { Transaction } from '../../platform/postgres/transaction.ts'
import { lockOrder, type OrderWithOffering, orderFingerprint } from '../../sales/orders/order-transition.sql.ts'
import { findPayment, paymentFingerprint } from './payment.sql.ts'
import { lockUnassignedPayment } from './unassigned-payment.sql.ts'

interface PaymentKey {
  readonly tenantId: string
  readonly paymentId: string
}

/**
 * Locks the rows that a reversal changes, in the same order as assigning does: the unassigned payment, then the order.
 * The payment itself changes only under the lock of its order.
 */
export async function lockForReversal(
  tx: Transaction,
  { tenantId, paymentId }: PaymentKey,
): Promise<{ payment: NonNullable<Awaited<ReturnType<typeof findPayment>>>; order: OrderWithOffering } | undefined> {
  const found = await findPayment(tx, tenantId, paymentId)
  if (!found) return undefined
  if (found.unassignedPaymentId !== null)
    await lockUnassignedPayment(tx, { tenantId, paymentId: found.unassignedPaymentId })
  const order = await lockOrder(tx, { tenantId, orderId: found.orderId })
  const payment = await findPayment(tx, tenantId, paymentId)
  if (!order || !payment) throw new Error('a payment or its order was deleted')
  return { payment, order }
}

/** Fingerprint of the payment and its order: a second person must see what the reversal does to both. */
export async function reversalFingerprint(
  { tenantId, id }: { tenantId: string; id: string },
  tx: Transaction,
): Promise<string> {
  const locked = await lockForReversal(tx, { tenantId, paymentId: id })
  if (!locked) return ''
  const order = await orderFingerprint({ tenantId, id: locked.order.id }, tx)
  return `${order} ${await paymentFingerprint({ tenantId, id }, tx)}`
}
