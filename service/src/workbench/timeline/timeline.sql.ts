import { boundedCount, keysetCut } from '../../platform/api/declare/keyset.sql.ts'
import type { KeysetPage } from '../../platform/api/declare/keyset-list.ts'
import { raw, type Sql, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { TimelineKey, TimelineSource, TimelineSubject } from '../../records/timeline/timeline-source.ts'

export interface TimelineRow {
  source: string
  id: string
  sortKey: string
  at: Date
  type: string
  actorId: string | null
  links: Record<string, unknown>
  detail: Record<string, unknown> | null
  text: Buffer | null
}

const tables: Readonly<Record<TimelineSubject, Sql>> = {
  order: raw('cell.token_order'),
  account: raw('cell.account'),
  offering: raw('cell.offering'),
}

export async function subjectExists(
  tx: Transaction,
  subject: TimelineSubject,
  { tenantId, subjectId }: TimelineKey,
): Promise<boolean> {
  const found = await tx.row(sql`
    select from ${tables[subject]} where tenant_id = ${tenantId} and id = ${subjectId}`)
  return found !== undefined
}

export function countTimelineEntries(tx: Transaction, { from }: TimelineSource, isOfSubject: Sql): Promise<number> {
  return boundedCount(tx, sql`from ${from} where ${isOfSubject}`)
}

export function selectTimelineEntries(
  tx: Transaction,
  source: TimelineSource,
  isOfSubject: Sql,
  page: KeysetPage,
): Promise<TimelineRow[]> {
  const { id, at, actorId = sql`null::uuid`, detail = sql`null::jsonb`, text = sql`null::bytea` } = source
  const { column, where, orderBy } = keysetCut(id, page, { at: { column: at, type: 'timestamptz' } })
  return tx.rows<TimelineRow>(sql`
    select ${source.source}::text as source, ${id} as id, ${column}, ${at} as at, ${source.type} as type,
           ${actorId} as "actorId", ${source.links} as links, ${detail} as detail, ${text} as text
    from ${source.from} where ${isOfSubject} and ${where} ${orderBy}`)
}
