import { minorUnitsOf, toMinorUnits } from '../../platform/base/money.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { Vault } from '../../platform/db/vault.ts'
import { findOperatorOrder } from '../../sales/orders/operator/operator-order.sql.ts'
import { nameSimilarity } from './name-similarity.ts'
import type { UnassignedPaymentRow } from './unassigned-payment.sql.ts'
import { openPayer } from './unassigned-payment.view.ts'

/** The same as for refunds: accepts a missing first name, and rejects a shared first name or legal form alone. */
const similarityMin = 0.6

/**
 * Whether the payment is so clearly for the order that one operator may assign it: the order lacks exactly this amount,
 * the payer's name resembles the investor's, and it is not suspected to be recorded already. Anything else could give
 * one buyer's money to another.
 */
export async function isEvidentAssignment(
  { tenantId, tx, vault }: { tenantId: string; tx: Transaction; vault: Vault },
  unassigned: UnassignedPaymentRow,
  orderId: string,
): Promise<boolean> {
  const [order, payer] = await Promise.all([findOperatorOrder(tx, { tenantId, orderId }), openPayer(vault, unassigned)])
  if (order?.status !== 'ORDERED' || order.currency !== unassigned.currency) return false
  if (unassigned.note !== null || payer.name === null) return false
  const missing = minorUnitsOf(order.totalAmount, order.currency) - minorUnitsOf(order.paidAmount, order.currency)
  if (missing !== toMinorUnits(unassigned.unassignedAmount, order.currency)) return false
  return nameSimilarity(payer.name, order.accountFullName) >= similarityMin
}
