import type pg from 'pg'
import { acrossTenants, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { AccountKey } from './account.sql.ts'

/** Decision on the kyc or kyb status of an account, and the end of an approval's validity. */
export interface AccountDecision {
  readonly decidedAt: Date
  /** The KYC check that it is based on; null if a person or an integrator decided. */
  readonly checkId: string | null
  readonly validUntil: Date | null
}

/**
 * Stores a decision about a locked account. Without one, a person or an integrator has decided just now, without
 * expiry.
 */
export async function upsertAccountApproval(
  tx: Transaction,
  { tenantId, accountId }: AccountKey,
  kind: 'kyc' | 'kyb',
  decision: AccountDecision | undefined,
): Promise<void> {
  await tx.rows(sql`
    insert into cell.account_approval (tenant_id, account_id, kind, decided_at, check_id, valid_until)
    values (${tenantId}, ${accountId}, ${kind},
            coalesce(${decision?.decidedAt ?? null}::timestamptz, clock_timestamp()),
            ${decision?.checkId ?? null}, ${decision?.validUntil ?? null})
    on conflict (tenant_id, account_id, kind) do update
    set decided_at = excluded.decided_at, check_id = excluded.check_id, valid_until = excluded.valid_until`)
}

/** Call it with the account locked. */
export function findAccountApproval(tx: Transaction, { tenantId, accountId }: AccountKey, kind: 'kyc' | 'kyb') {
  return tx.row<AccountDecision>(sql`
    select decided_at as "decidedAt", check_id as "checkId", valid_until as "validUntil" from cell.account_approval
    where tenant_id = ${tenantId} and account_id = ${accountId} and kind = ${kind}`)
}

export interface EndedApproval extends AccountKey {
  kind: 'kyc' | 'kyb'
}

/** True if the validity of an approval in the cell has ended, by the clock of the database. */
export const areApprovalsEnded = sql`
  exists (select from cell.account_approval where valid_until <= now())`

/** Returns approvals of all tenants of a cell whose validity has ended, oldest first. Runs with the worker's role. */
export function selectEndedApprovals(pool: pg.Pool, now: Date, limit: number): Promise<EndedApproval[]> {
  return acrossTenants(pool).rows(sql`
    select tenant_id as "tenantId", account_id as "accountId", kind from cell.account_approval
    where valid_until <= ${now} order by valid_until limit ${limit}::bigint`)
}
