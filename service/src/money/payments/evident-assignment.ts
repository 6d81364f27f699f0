import { electronicFormatIBAN } from 'ibantools'
import type { OperatorContext } from '../../platform/api/declare/operation.ts'
import { selectSubjects } from '../../records/search/search-term.sql.ts'
import { typedIban } from '../../records/search/search-terms.ts'
import { decryptBankAccount } from '../../sales/accounts/account.view.ts'
import { type AssignedOrder, findAssignedOrder, hasActedOn } from './evident-assignment.sql.ts'
import { nameSimilarity } from './name-similarity.ts'
import { selectOrdersByMissingAmount } from './orders-by-missing-amount.sql.ts'
import type { UnassignedPaymentRow } from './unassigned-payment.sql.ts'
import { openPayer, type Payer } from './unassigned-payment.view.ts'

/** Same threshold as for refunds: accepts a missing first name, and rejects a shared first name or legal form alone. */
const similarityMin = 0.6

type Context = Pick<OperatorContext, 'tenantId' | 'tx' | 'vault' | 'operator'>

/**
 * Returns true if a payment is so clearly for the order that one person may assign it. A name is no proof: anyone can
 * open an account under a payer's name. So the account must have had the payer's IBAN since before the payment came. No
 * other candidate order may wait for this amount, and no other account may have this IBAN. The person must not have
 * acted on the account or the order.
 */
export async function isEvidentAssignment(
  context: Context,
  unassigned: UnassignedPaymentRow,
  orderId: string,
): Promise<boolean> {
  const { tenantId, tx, vault, operator } = context
  const [order, payer] = await Promise.all([findAssignedOrder(tx, { tenantId, orderId }), openPayer(vault, unassigned)])
  if (!order || !isExpected(order, unassigned, payer) || !(await isOwnIban(context, order, payer))) return false
  const [others, hasActed] = await tx.batch(
    (tx) => selectOrdersByMissingAmount(tx, tenantId, [unassigned.unassignedAmount]),
    (tx) => hasActedOn(tx, tenantId, { userId: operator.userId, subjectIds: [order.accountId, orderId] }),
  )
  // Several people may act with the tokens of a service user.
  return operator.userKind === 'person' && !hasActed && others.every((one) => one.orderId === orderId)
}

/** Returns true if an older order waits for exactly this amount, and its investor has a name like the payer's. */
function isExpected(order: AssignedOrder, unassigned: UnassignedPaymentRow, payer: Payer): boolean {
  const { createdAt: arrivedAt, note, unassignedAmount } = unassigned
  const times = [order.createdAt, order.accountCreatedAt, order.bankAccountChangedAt ?? order.accountCreatedAt]
  return (
    order.status === 'ORDERED' &&
    note === null &&
    payer.name !== null &&
    order.missing.equals(unassignedAmount) &&
    times.every((time) => time < arrivedAt) &&
    nameSimilarity(payer.name, order.accountName) >= similarityMin
  )
}

/** Returns true if this account, and no other, has the IBAN that sent the payment. */
async function isOwnIban(
  { tenantId, tx, vault }: Context,
  { accountId, bankAccount }: AssignedOrder,
  { iban }: Payer,
): Promise<boolean> {
  if (iban === null) return false
  const own = await decryptBankAccount({ id: accountId, bankAccount }, vault)
  if (electronicFormatIBAN(own.iban) !== electronicFormatIBAN(iban)) return false
  // Searches for the IBAN under each of the tenant's keys.
  for (const range of await typedIban(iban, vault)) {
    const holders = await selectSubjects(tx, tenantId, { kind: 'account', ranges: [range], limit: 2 })
    if (holders.some((id) => id !== accountId)) return false
  }
  return true
}
