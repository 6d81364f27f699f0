import type pg from 'pg'
import { sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { AccountKey } from './account.sql.ts'

/** What decided about the kyc or kyb status of an account, and until when an approval is valid. */
export interface AccountDecision {
  readonly decidedAt: Date
  /** The KYC check that it is based on; null if a person or an integrator decided. */
  readonly checkId: string | null
  readonly validUntil: Date | null
}

/** Without a decision: of a person or an integrator, now and without end. The account is locked. */
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
export function findAccountApproval(
  tx: Transaction,
  { tenantId, accountId }: AccountKey,
  kind: 'kyc' | 'kyb',
): Promise<AccountDecision | undefined> {
  return tx.row<AccountDecision>(sql`
    select decided_at as "decidedAt", check_id as "checkId", valid_until as "validUntil" from cell.account_approval
    where tenant_id = ${tenantId} and account_id = ${accountId} and kind = ${kind}`)
}

export interface EndedApproval extends AccountKey {
  kind: 'kyc' | 'kyb'
}

/** Whether the validity of an approval of a cell has ended, by the clock of the database. */
export const areApprovalsEnded = sql`
  exists (select from cell.account_approval where valid_until <= now())`

/** Approvals of all tenants of a cell whose validity has ended, oldest first. Runs with the worker's role. */
export async function selectEndedApprovals(pool: pg.Pool, now: Date, limit: number): Promise<EndedApproval[]> {
  const { rows } = await pool.query<EndedApproval>({
    name: 'select-ended-approvals',
    text: `select tenant_id as "tenantId", account_id as "accountId", kind from cell.account_approval
           where valid_until <= $1 order by valid_until limit $2`,
    values: [now, limit],
  })
  return rows
}
