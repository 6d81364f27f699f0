import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { BankResult } from '../refunds/apply-bank-result.ts'
import { type EntitlementKey, lockEntitlement, moveEntitlement } from './entitlement.sql.ts'
import { entitlementEvent } from './entitlement-status.ts'

/**
 * Moves an entitlement to the status that the bank reports about its transfer. If the amount differs, or its status
 * does not allow the change, it stays unchanged and `problem` explains it to an operator.
 */
export async function applyBankResultToEntitlement(
  tx: Transaction,
  key: EntitlementKey,
  { to: reported, amount, failure, isAfterRestore, now }: BankResult,
): Promise<'no such entitlement' | { entitlementId: string; problem?: string }> {
  const entitlement = await lockEntitlement(tx, key)
  if (!entitlement) return 'no such entitlement'
  const entitlementId = entitlement.id
  const to = reported === 'settled' ? 'paid' : 'returned'
  if (!entitlement.net.equals(amount))
    return { entitlementId, problem: 'The bank reported another amount or currency than that of the entitlement.' }
  if (entitlementEvent(entitlement.status, to, isAfterRestore) === undefined)
    return { entitlementId, problem: `The entitlement is ${entitlement.status}, so it cannot become ${to}.` }
  await moveEntitlement(tx, key.tenantId, entitlement, { to, now, isAfterRestore, ...(failure ? { failure } : {}) })
  return { entitlementId }
}
