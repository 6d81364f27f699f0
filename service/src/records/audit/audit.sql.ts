import type { Actor } from '../../platform/api/declare/audit.ts'
import { filteredCut } from '../../platform/api/declare/page.sql.ts'
import type { Page } from '../../platform/api/declare/page.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'

export interface AuditRow {
  sequence: string
  at: Date
  actorType: Actor['type']
  actorId: string | null
  requestId: string | null
  action: string
  subjectType: string
  subjectId: string
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  hash: Buffer
}

/** The query parameters of the API. */
export interface AuditFilter {
  subject_id?: string
  actor_id?: string
}

function matching(tenantId: string, { subject_id, actor_id }: AuditFilter): Sql {
  return sql`
    tenant_id = ${tenantId}
    and (${subject_id ?? null}::uuid is null or subject_id = ${subject_id ?? null})
    and (${actor_id ?? null}::uuid is null or actor_id = ${actor_id ?? null})`
}

export async function countAudit(tx: Transaction, tenantId: string, filter: AuditFilter): Promise<number> {
  const found = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from base.audit_log where ${matching(tenantId, filter)}`)
  return found?.count ?? 0
}

export function selectAuditEntries(
  tx: Transaction,
  tenantId: string,
  filter: AuditFilter,
  page: Page,
): Promise<Omit<AuditRow, 'hash'>[]> {
  return tx.rows(sql`
    select sequence, at, actor_type as "actorType", actor_id as "actorId", request_id as "requestId", action,
           subject_type as "subjectType", subject_id as "subjectId", before, after
    from base.audit_log where ${matching(tenantId, filter)} ${filteredCut(sql`sequence`, page)}`)
}

/** The first problem in the hash chain of the transaction's tenant; undefined if the chain is intact. */
export function findAuditProblem(tx: Transaction): Promise<{ sequence: string; problem: string } | undefined> {
  return tx.row(sql`select sequence, problem from base.verify_audit_chain()`)
}

/**
 * The end of the chain. Keep a copy outside the database: the owner of the database can remove rows from the end and
 * adjust the head.
 */
export function findAuditHead(
  tx: Transaction,
  tenantId: string,
): Promise<Pick<AuditRow, 'sequence' | 'hash'> | undefined> {
  return tx.row(sql`select sequence, hash from base.audit_head where tenant_id = ${tenantId}`)
}

/** The current hash of the row with this sequence number. */
export function findAuditHash(
  tx: Transaction,
  tenantId: string,
  sequence: number,
): Promise<Pick<AuditRow, 'hash'> | undefined> {
  return tx.row(sql`select hash from base.audit_log where tenant_id = ${tenantId} and sequence = ${sequence}`)
}
