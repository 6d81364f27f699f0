import { filteredCut } from '../../platform/api/declare/page.sql.ts'
import type { Page } from '../../platform/api/declare/page.ts'
import type { ApprovalKey, ApprovalRow } from '../../platform/api/pipeline/approval.sql.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'

const columns = sql`
  approval.id, approval.database, approval.operation, approval.duty, approval.confirm_duty as "confirmDuty",
  approval.subject_type as "subjectType", approval.subject_id as "subjectId", approval.request,
  approval.subject_version as "subjectVersion", approval.amount_minor as "amountMinor", approval.currency,
  approval.state, approval.proposed_by as "proposedBy", approval.proposed_at as "proposedAt",
  approval.expires_at as "expiresAt", approval.decided_by as "decidedBy", approval.decided_at as "decidedAt"`

export interface ApprovalFilter {
  database: 'cell' | 'directory'
  state?: string | undefined
  operation?: string | undefined
}

function conditions(tenantId: string, { database, state, operation }: ApprovalFilter, now: Date): Sql {
  const expired = sql`(approval.state = 'pending' and approval.expires_at <= ${now})`
  const inState =
    state === undefined ? sql`true` : state === 'expired' ? expired : sql`approval.state = ${state} and not ${expired}`
  return sql`
    approval.tenant_id = ${tenantId} and approval.database = ${database} and ${inState}
    and (${operation ?? null}::text is null or approval.operation = ${operation ?? null})`
}

export async function countApprovals(
  tx: Transaction,
  tenantId: string,
  filter: ApprovalFilter,
  now: Date,
): Promise<number> {
  const found = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from base.approval where ${conditions(tenantId, filter, now)}`)
  return found?.count ?? 0
}

export function selectApprovals(
  tx: Transaction,
  tenantId: string,
  filter: ApprovalFilter,
  { page, now }: { page: Page; now: Date },
): Promise<ApprovalRow[]> {
  return tx.rows<ApprovalRow>(sql`
    select ${columns} from base.approval
    where ${conditions(tenantId, filter, now)}
    ${filteredCut(sql`(approval.proposed_at, approval.id)`, page)}`)
}

export function findApproval(tx: Transaction, key: ApprovalKey): Promise<ApprovalRow | undefined> {
  return tx.row<ApprovalRow>(sql`select ${columns} from base.approval where ${isKey(key)}`)
}

/** Locks the approval until the end of the transaction, so that only one decision takes effect. */
export function lockApproval(tx: Transaction, key: ApprovalKey): Promise<ApprovalRow | undefined> {
  return tx.row<ApprovalRow>(sql`select ${columns} from base.approval where ${isKey(key)} for update`)
}

function isKey({ tenantId, database, approvalId }: ApprovalKey): Sql {
  return sql`
    approval.tenant_id = ${tenantId} and approval.database = ${database} and approval.id = ${approvalId}`
}

export async function decideLockedApproval(
  tx: Transaction,
  key: ApprovalKey,
  decision: { state: 'confirmed' | 'rejected' | 'withdrawn'; by: string; at: Date },
): Promise<void> {
  const decided = await tx.row(sql`
    update base.approval set state = ${decision.state}, decided_by = ${decision.by}, decided_at = ${decision.at}
    where ${isKey(key)} and state = 'pending'
    returning id`)
  if (!decided) throw new Error('a locked approval was decided by another transaction')
}
