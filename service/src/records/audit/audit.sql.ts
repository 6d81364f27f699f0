import type { Actor } from '../../platform/api/declare/audit.ts'
import { boundedCount, keysetCut } from '../../platform/api/declare/keyset.sql.ts'
import type { KeysetPage, KeysetRow } from '../../platform/api/declare/keyset-list.ts'
import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { type AuditConditions, auditMatching } from './audit-filter.sql.ts'

export interface AuditRow {
  sequence: string
  at: Date
  actorType: Actor['type']
  actorId: string | null
  confirmedBy: string | null
  approvalId: string | null
  requestId: string | null
  action: string
  subjectType: string
  subjectId: string
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  hash: Buffer
}

export function countAudit(tx: Transaction, tenantId: string, filter: AuditConditions): Promise<number> {
  return boundedCount(tx, sql`from base.audit_log where ${auditMatching(tenantId, filter)}`)
}

export function selectAuditEntries(
  tx: Transaction,
  tenantId: string,
  filter: AuditConditions,
  page: KeysetPage,
): Promise<(Omit<AuditRow, 'hash'> & KeysetRow)[]> {
  const cut = keysetCut(sql`audit_log.sequence`, page, {}, 'bigint')
  return tx.rows(sql`
    select sequence, at, actor_type as "actorType", actor_id as "actorId", confirmed_by as "confirmedBy",
           approval_id as "approvalId", request_id as "requestId", action, subject_type as "subjectType",
           subject_id as "subjectId", before, after, ${cut.column}
    from base.audit_log where ${auditMatching(tenantId, filter)} and ${cut.where} ${cut.orderBy}`)
}

/** Returns the first problem in the hash chain of the transaction's tenant, or undefined if the chain is intact. */
export function findAuditProblem(tx: Transaction): Promise<{ sequence: string; problem: string } | undefined> {
  return tx.row(sql`select sequence, problem from base.verify_audit_chain()`)
}

/** Verifies the next rows of the chain after a sequence number. `verifiedTo` is null if there are none. */
export async function verifyAuditPart(
  tx: Transaction,
  after: number,
  many: number,
): Promise<{ verifiedTo: string | null; rowCount: number; sequence: string | null; problem: string | null }> {
  const verified = await tx.row<Awaited<ReturnType<typeof verifyAuditPart>>>(sql`
    select verified_to as "verifiedTo", row_count as "rowCount", sequence, problem
    from base.verify_audit_part(${after}::bigint, ${many}::integer)`)
  if (!verified) throw new Error('a verification returned no row')
  return verified
}

/**
 * Returns the end of the chain. Keep a copy outside the database: the owner of the database can remove rows from the
 * end and adjust the head.
 */
export function findAuditHead(tx: Transaction, tenantId: string) {
  return tx.row<Pick<AuditRow, 'sequence' | 'hash'>>(
    sql`select sequence, hash from base.audit_head where tenant_id = ${tenantId}`,
  )
}

/** Returns the current hash of the row with this sequence number. */
export function findAuditHash(tx: Transaction, tenantId: string, sequence: number) {
  return tx.row<Pick<AuditRow, 'hash'>>(
    sql`select hash from base.audit_log where tenant_id = ${tenantId} and sequence = ${sequence}`,
  )
}

/** Returns true if the log has an entry about a restore to this moment. */
export async function hasAuditedRestore(tx: Transaction, tenantId: string, restoredTo: string): Promise<boolean> {
  const entry = await tx.row(sql`
    select from base.audit_log
    where tenant_id = ${tenantId} and action = 'tenant.restored' and after ->> 'restored_to' = ${restoredTo} limit 1`)
  return entry !== undefined
}
