import { rowFingerprint } from '../platform/api/declare/row-fingerprint.sql.ts'
import { sql } from '../platform/postgres/sql.ts'
import type { Transaction } from '../platform/postgres/transaction.ts'
import { accountApproval } from '../sales/accounts/account.sql.ts'
import type { EntitlementKey } from '../sales/entitlements/entitlement.sql.ts'

export interface EntitlementAccount {
  accountId: string
  accountName: string
  bankAccountVersion: number
  /** Status of the check that counts for the account. */
  approval: string
}

/** Locks the account of the entitlement until the transaction ends, so that its bank data cannot change. */
export function lockEntitlementAccount(tx: Transaction, { tenantId, entitlementId }: EntitlementKey) {
  return tx.row<EntitlementAccount>(sql`
    select account.id as "accountId", account.full_name as "accountName",
           account.bank_account_version as "bankAccountVersion", ${accountApproval} as approval
    from cell.entitlement
    join cell.account on account.tenant_id = entitlement.tenant_id and account.id = entitlement.account_id
    where entitlement.tenant_id = ${tenantId} and entitlement.id = ${entitlementId}
    for no key update of account`)
}

/**
 * Locks the entitlement and then its account, in the order of the job that writes files. The fingerprint changes with
 * the entitlement, and with the investor's bank data or approval.
 */
export async function entitlementAccountFingerprint(
  { tenantId, id }: { tenantId: string; id: string },
  tx: Transaction,
): Promise<string> {
  const entitlement = await entitlementFingerprint({ tenantId, id }, tx)
  const account = await lockEntitlementAccount(tx, { tenantId, entitlementId: id })
  return `${entitlement} ${account?.bankAccountVersion ?? ''} ${account?.approval ?? ''}`
}

const entitlementFingerprint = rowFingerprint(sql`cell.entitlement`)

/**
 * Stores the approved version of the bank data and, if the account is not approved, the status for which the
 * entitlement may be paid nevertheless. The caller has locked the entitlement and the account.
 */
export async function setEntitlementAccountApproved(
  tx: Transaction,
  { tenantId, entitlementId }: EntitlementKey,
  { bankAccountVersion, approval }: Pick<EntitlementAccount, 'bankAccountVersion' | 'approval'>,
): Promise<void> {
  await tx.rows(sql`
    update cell.entitlement
    set approved_bank_account_version = ${bankAccountVersion},
        released_status = ${approval === 'APPROVED' ? null : approval}
    where tenant_id = ${tenantId} and id = ${entitlementId} and status in ('due', 'returned')`)
}
