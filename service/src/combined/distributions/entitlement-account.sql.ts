import { rowVersion } from '../../platform/api/declare/row-version.sql.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { accountApproval } from '../../sales/accounts/account.sql.ts'
import type { EntitlementKey } from '../../sales/entitlements/entitlement.sql.ts'

export interface EntitlementAccount {
  accountId: string
  accountName: string
  bankAccountVersion: number
  /** Of the check that counts for the account. */
  approval: string
}

/** Locks the account of the entitlement until the transaction ends, so that its bank data cannot change. */
export function lockEntitlementAccount(
  tx: Transaction,
  { tenantId, entitlementId }: EntitlementKey,
): Promise<EntitlementAccount | undefined> {
  return tx.row<EntitlementAccount>(sql`
    select account.id as "accountId", account.full_name as "accountName",
           account.bank_account_version as "bankAccountVersion", ${accountApproval} as approval
    from cell.entitlement
    join cell.account on account.tenant_id = entitlement.tenant_id and account.id = entitlement.account_id
    where entitlement.tenant_id = ${tenantId} and entitlement.id = ${entitlementId}
    for no key update of account`)
}

/**
 * Locks both, the entitlement first as the job that writes files does. The version differs as soon as the entitlement
 * or the bank data of its investor do.
 */
export async function entitlementAccountVersion(
  { tenantId, id }: { tenantId: string; id: string },
  tx: Transaction,
): Promise<string> {
  const entitlement = await entitlementVersion({ tenantId, id }, tx)
  const account = await lockEntitlementAccount(tx, { tenantId, entitlementId: id })
  return `${entitlement} ${account?.bankAccountVersion ?? ''} ${account?.approval ?? ''}`
}

const entitlementVersion = rowVersion(sql`cell.entitlement`)

/**
 * Stores which version of the bank data was approved, and for which status of the account that is not approved it is
 * paid all the same. The caller has locked the entitlement and the account.
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
