import { boundedCount, keysetCut } from '../../platform/api/declare/keyset.sql.ts'
import type { KeysetPage } from '../../platform/api/declare/keyset-list.ts'
import { type Sql, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { exportStates } from './export.schema.ts'
import type { ExportFilter, ExportFormat } from './export-source.ts'
import type { ExportKind } from './export-sources.ts'

export interface ExportKey {
  tenantId: string
  exportId: string
}

export type ExportState = (typeof exportStates)[number]

export interface ExportRow {
  id: string
  kind: ExportKind
  filter: ExportFilter
  format: ExportFormat
  withPersonalData: boolean
  state: ExportState
  cursor: string | null
  rowCount: string
  chunkCount: number
  byteCount: string
  /** Set for a finished register extract. */
  sha256: Buffer | null
  /** Null except for register extracts. */
  unitSum: string | null
  createdBy: string
  createdAt: Date
  finishedAt: Date | null
  expiresAt: Date
}

const columns = sql`
  id, kind, filter, format, with_personal_data as "withPersonalData", state, cursor, row_count as "rowCount",
  sha256, unit_sum::text as "unitSum",
  chunk_count as "chunkCount", byte_count as "byteCount", created_by as "createdBy", created_at as "createdAt",
  finished_at as "finishedAt", expires_at as "expiresAt"`

export async function insertExport(
  tx: Transaction,
  tenantId: string,
  wanted: Pick<
    ExportRow,
    'id' | 'kind' | 'filter' | 'format' | 'withPersonalData' | 'createdBy' | 'createdAt' | 'expiresAt'
  >,
): Promise<ExportRow> {
  const inserted = await tx.row<ExportRow>(sql`
    insert into cell.export (tenant_id, id, kind, filter, format, with_personal_data, created_by, created_at,
                             expires_at)
    values (${tenantId}, ${wanted.id}, ${wanted.kind}, ${JSON.stringify(wanted.filter)}::jsonb,
            ${wanted.format}, ${wanted.withPersonalData}, ${wanted.createdBy}, ${wanted.createdAt}, ${wanted.expiresAt})
    returning ${columns}`)
  if (!inserted) throw new Error('an export was not inserted')
  return inserted
}

export function findExport(tx: Transaction, { tenantId, exportId }: ExportKey): Promise<ExportRow | undefined> {
  return tx.row<ExportRow>(sql`select ${columns} from cell.export where tenant_id = ${tenantId} and id = ${exportId}`)
}

export function lockExport(tx: Transaction, { tenantId, exportId }: ExportKey): Promise<ExportRow | undefined> {
  return tx.row<ExportRow>(sql`
    select ${columns} from cell.export where tenant_id = ${tenantId} and id = ${exportId} for update`)
}

/** Lets one transaction of the tenant at a time request an export. */
export async function lockExports(tx: Transaction, tenantId: string): Promise<void> {
  await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended(${`exports ${tenantId}`}, 0))`)
}

/** Counts the exports that are being written: of the whole tenant, and of this user. */
export async function countRunningExports(
  tx: Transaction,
  { tenantId, createdBy }: { tenantId: string; createdBy: string },
): Promise<{ all: number; own: number }> {
  const found = await tx.row<{ all: number; own: number }>(sql`
    select count(*)::int as all, count(*) filter (where created_by = ${createdBy})::int as own
    from cell.export where tenant_id = ${tenantId} and state = 'running'`)
  return found ?? { all: 0, own: 0 }
}

/** Locks the finished exports beyond this many: the oldest of the users who have the most. */
export function lockExportsBeyond(tx: Transaction, tenantId: string, max: number): Promise<{ id: string }[]> {
  return tx.rows<{ id: string }>(sql`
    with finished as (
      select id, row_number() over (partition by created_by order by id desc) as newness
      from cell.export where tenant_id = ${tenantId} and state = 'done'
    )
    select id from cell.export where tenant_id = ${tenantId} and state = 'done' and id in (
      select id from finished order by newness, id desc offset ${max}
    )
    for update`)
}

function matching(tenantId: string, state: ExportState | undefined): Sql {
  return state === undefined ? sql`tenant_id = ${tenantId}` : sql`tenant_id = ${tenantId} and state = ${state}`
}

export function countExports(tx: Transaction, tenantId: string, state: ExportState | undefined): Promise<number> {
  return boundedCount(tx, sql`from cell.export where ${matching(tenantId, state)}`)
}

export function selectExports(
  tx: Transaction,
  tenantId: string,
  state: ExportState | undefined,
  page: KeysetPage,
): Promise<(ExportRow & { sortKey: string | null })[]> {
  const { column, where, orderBy } = keysetCut(sql`id`, page)
  return tx.rows(sql`
    select ${columns}, ${column} from cell.export where ${matching(tenantId, state)} and ${where} ${orderBy}`)
}

/** Locks the next export of the tenant for a worker to continue. */
export function lockRunningExport(tx: Transaction, tenantId: string): Promise<ExportRow | undefined> {
  return tx.row<ExportRow>(sql`
    select ${columns} from cell.export where tenant_id = ${tenantId} and state = 'running'
    order by id limit 1 for update`)
}

/** Moves the locked export past the chunks that this transaction inserts. */
export async function addToExport(
  tx: Transaction,
  { tenantId, exportId }: ExportKey,
  added: {
    cursor: string | null
    rows: number
    chunks: number
    bytes: number
    unitSum: bigint | null
    sha256: Buffer | null
    isLast: boolean
    now: Date
  },
): Promise<void> {
  await tx.rows(sql`
    update cell.export
    set cursor = ${added.cursor}, row_count = row_count + ${added.rows}::bigint,
        chunk_count = chunk_count + ${added.chunks}::integer,
        byte_count = byte_count + ${added.bytes}::bigint, sha256 = ${added.sha256},
        unit_sum = ${added.unitSum === null ? null : String(added.unitSum)}::numeric,
        state = case when ${added.isLast}::boolean then 'done' else state end,
        finished_at = case when ${added.isLast}::boolean then ${added.now}::timestamptz end
    where tenant_id = ${tenantId} and id = ${exportId}`)
}

export function endLockedExport(
  tx: Transaction,
  { tenantId, exportId }: ExportKey,
  { state, now }: { state: 'failed' | 'cancelled' | 'expired'; now: Date },
): Promise<ExportRow | undefined> {
  return tx.row<ExportRow>(sql`
    update cell.export set state = ${state}, finished_at = coalesce(finished_at, ${now}::timestamptz)
    where tenant_id = ${tenantId} and id = ${exportId}
    returning ${columns}`)
}
