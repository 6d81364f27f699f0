import type { Static } from 'typebox'
import { filteredCut } from '../../platform/api/declare/page.sql.ts'
import type { Page } from '../../platform/api/declare/page.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { AuditRecord } from './audit.schema.ts'

export type AuditRow = Omit<Static<typeof AuditRecord>, 'at' | 'sequence'> & { at: Date; sequence: string }

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
): Promise<AuditRow[]> {
  return tx.rows<AuditRow>(sql`
    select sequence, at, actor_type, actor_id, request_id, action, subject_type, subject_id, before, after
    from base.audit_log where ${matching(tenantId, filter)} ${filteredCut(sql`sequence`, page)}`)
}

/** The first place at which the chain is not what it was; undefined where it is whole. */
export function findBrokenAudit(tx: Transaction): Promise<{ sequence: string; problem: string } | undefined> {
  return tx.row(sql`select sequence, problem from base.first_broken_audit()`)
}

/** Where the chain ends: to be kept elsewhere, since who owns the database can cut the end off and say so. */
export function findAuditHead(
  tx: Transaction,
  tenantId: string,
): Promise<{ sequence: string; hash: Buffer } | undefined> {
  return tx.row(sql`select sequence, hash from base.audit_head where tenant_id = ${tenantId}`)
}

/** The hash that the row at this place has now. */
export function findAuditHash(
  tx: Transaction,
  tenantId: string,
  sequence: number,
): Promise<{ hash: Buffer } | undefined> {
  return tx.row(sql`select hash from base.audit_log where tenant_id = ${tenantId} and sequence = ${sequence}`)
}
