import type { Duty } from '../../platform/api/declare/duties.ts'
import { allOf, boundedCount, isEqual, keysetCut } from '../../platform/api/declare/keyset.sql.ts'
import type { KeysetPage, KeysetRow } from '../../platform/api/declare/keyset-list.ts'
import type { ApprovalKey, ApprovalRow } from '../../platform/api/pipeline/approval.sql.ts'
import { type Sql, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { type ApprovalNamesRow, approvalNames } from './approval-names.sql.ts'

const columns = sql`
  approval.id, approval.database, approval.operation, approval.duty, approval.confirm_duty as "confirmDuty",
  approval.offering_id as "offeringId",
  approval.subject_type as "subjectType", approval.subject_id as "subjectId", approval.request,
  approval.subject_version as "subjectVersion", approval.amount_minor as "amountMinor", approval.currency,
  approval.state, approval.proposed_by as "proposedBy", approval.proposed_at as "proposedAt",
  approval.expires_at as "expiresAt", approval.decided_by as "decidedBy", approval.decided_at as "decidedAt"`

export interface ApprovalFilter {
  database: 'cell' | 'directory'
  state?: readonly string[] | undefined
  operation?: string | undefined
}

function conditions(tenantId: string, { database, state, operation }: ApprovalFilter, now: Date): Sql {
  return allOf([
    sql`approval.tenant_id = ${tenantId} and approval.database = ${database}`,
    state &&
      sql`
      case when approval.state = 'pending' and approval.expires_at <= ${now} then 'expired' else approval.state end
        = any (${state}::text[])`,
    isEqual(sql`approval.operation`, operation),
  ])
}

export function countApprovals(tx: Transaction, tenantId: string, filter: ApprovalFilter, now: Date): Promise<number> {
  return boundedCount(tx, sql`from base.approval where ${conditions(tenantId, filter, now)}`)
}

/** Leaves out the secrets, which only the deciding transaction reads. */
type ReadApprovalRow = Omit<ApprovalRow, 'secrets'>

export type NamedApprovalRow = ReadApprovalRow & ApprovalNamesRow

/** Sorts by time, because the ids are random. */
export function selectApprovals(
  tx: Transaction,
  tenantId: string,
  filter: ApprovalFilter,
  { page, now }: { page: KeysetPage; now: Date },
): Promise<(NamedApprovalRow & KeysetRow)[]> {
  const keys = { proposed_at: { column: sql`approval.proposed_at`, type: 'timestamptz' } } as const
  const cut = keysetCut(sql`approval.id`, page, keys)
  return tx.rows(sql`
    select ${columns}, ${approvalNames[filter.database]}, ${cut.column} from base.approval
    where ${conditions(tenantId, filter, now)} and ${cut.where} ${cut.orderBy}`)
}

export function findApproval(tx: Transaction, key: ApprovalKey): Promise<ReadApprovalRow | undefined> {
  return tx.row<ReadApprovalRow>(sql`select ${columns} from base.approval where ${isKey(key)}`)
}

export function findNamedApproval(tx: Transaction, key: ApprovalKey): Promise<NamedApprovalRow | undefined> {
  return tx.row<NamedApprovalRow>(sql`
    select ${columns}, ${approvalNames[key.database]} from base.approval where ${isKey(key)}`)
}

/** Locks the approval until the end of the transaction, so that only one decision takes effect. */
export function lockApproval(tx: Transaction, key: ApprovalKey): Promise<ApprovalRow | undefined> {
  return tx.row<ApprovalRow>(sql`
    select ${columns}, approval.secrets from base.approval where ${isKey(key)} for update`)
}

function isKey({ tenantId, database, approvalId }: ApprovalKey): Sql {
  return sql`
    approval.tenant_id = ${tenantId} and approval.database = ${database} and approval.id = ${approvalId}`
}

/** Stores the decision. A trigger deletes the secrets of the request. */
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

/** Deletes the secrets of a request that was not decided in time. */
export async function deleteExpiredSecrets(tx: Transaction, key: ApprovalKey): Promise<void> {
  await tx.rows(sql`update base.approval set secrets = null where ${isKey(key)} and secrets is not null`)
}

/** Returns true if people with the duty were asked to confirm another proposal since then. */
export async function hasOtherProposal(
  tx: Transaction,
  { tenantId, database, approvalId }: ApprovalKey,
  { duty, since }: { duty: Duty; since: Date },
): Promise<boolean> {
  const other = await tx.row(sql`
    select from base.approval
    where tenant_id = ${tenantId} and database = ${database} and proposed_at > ${since} and confirm_duty = ${duty}
      and id <> ${approvalId}
    limit 1`)
  return other !== undefined
}

/** Oldest first. A tenant has a limited number of them. */
export function selectPendingApprovals(
  tx: Transaction,
  { tenantId, database }: Omit<ApprovalKey, 'approvalId'>,
  { now, limit }: { now: Date; limit: number },
): Promise<ApprovalRow[]> {
  return tx.rows<ApprovalRow>(sql`
    select ${columns} from base.approval
    where tenant_id = ${tenantId} and database = ${database} and state = 'pending' and expires_at > ${now}
    order by proposed_at, id limit ${limit}::bigint`)
}
