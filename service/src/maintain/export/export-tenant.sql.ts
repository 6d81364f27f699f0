import type pg from 'pg'
import { inTransaction } from '../../platform/postgres/run-transaction.ts'
import { join, raw, type Sql, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { openedOrUndefined, type Vault, type Vaults } from '../../platform/postgres/vault.ts'
import type { SealedColumn } from '../data-keys/reseal.sql.ts'

export interface ExportedTable {
  readonly table: string
  readonly rows: number
  /** Sealed values that could not be opened, which are null in the export. */
  readonly damaged: number
}

interface ExportContext {
  readonly vaults: Vaults
  /** Columns that the export decrypts. */
  readonly sealed: readonly SealedColumn[]
  readonly schemas: readonly string[]
  readonly leftOut: { readonly tables: ReadonlySet<string>; readonly columns: ReadonlySet<string> }
  /** Receives rows of a table as lines of JSON, at least once per table. Awaited, so that rows do not accumulate. */
  readonly write: (table: string, lines: string) => Promise<void>
}

/**
 * Reads every row of a tenant in a database, decrypted. Needs the login that owns the tables, because the service may
 * not read all columns. Each table is one snapshot; a disabled and settled tenant does not change in between.
 */
export async function exportTenant(pool: pg.Pool, tenantId: string, context: ExportContext): Promise<ExportedTable[]> {
  const inExport = <Result>(work: (tx: Transaction) => Promise<Result>) =>
    inTransaction(pool, { access: 'write', identity: { tenantId }, msMax }, work)
  const tables = await inExport((tx) => selectTenantTables(tx, context.schemas))
  const exported: ExportedTable[] = []
  for (const table of tables.filter(({ name }) => !context.leftOut.tables.has(name)))
    exported.push(await inExport((tx) => exportTable(tx, tenantId, table, context)))
  return exported
}

interface TenantTable {
  readonly name: string
  readonly columns: readonly string[]
}

/** Selects all tables with rows of tenants, so that a new one is exported without a change here. */
function selectTenantTables(tx: Transaction, schemas: readonly string[]): Promise<TenantTable[]> {
  return tx.rows<TenantTable>(sql`
    select nspname || '.' || relname as name, array_agg(attname::text order by attnum) as columns
    from pg_class
    join pg_namespace on pg_namespace.oid = relnamespace
    join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
    where nspname = any (${schemas}) and relkind in ('r', 'p') and not relispartition
    group by nspname, relname
    having bool_or(attname = 'tenant_id') or relname = 'tenant'
    order by 1`)
}

async function exportTable(
  tx: Transaction,
  tenantId: string,
  table: TenantTable,
  { vaults, sealed, leftOut, write }: ExportContext,
): Promise<ExportedTable> {
  const vault = vaults.of(tx, tenantId)
  const opened = sealed.filter((column) => column.table === table.name && !leftOut.columns.has(column.column))
  const cursor = raw(`"export of ${table.name}"`)
  await tx.rows(sql`declare ${cursor} no scroll cursor for ${selectRows(table, tenantId, opened, leftOut.columns)}`)
  let [rows, damaged] = [0, 0]
  for (;;) {
    const batch = await tx.rows<ExportedRow>(sql`fetch ${raw(String(batchRows))} from ${cursor}`)
    const lines = await Promise.all(batch.map((row) => lineOf(row, opened, vault)))
    rows += lines.length
    damaged += lines.reduce((sum, line) => sum + line.damaged, 0)
    await write(table.name, lines.map(({ text }) => `${text}\n`).join(''))
    if (batch.length < batchRows) return { table: table.name, rows, damaged }
  }
}

/** Selects the unsealed columns as JSON text rather than as an object, so that numbers keep all their digits. */
function selectRows(
  { name, columns }: TenantTable,
  tenantId: string,
  opened: readonly SealedColumn[],
  leftOut: ReadonlySet<string>,
): Sql {
  const omitted = columns.filter((column) => leftOut.has(column) || opened.some((one) => one.column === column))
  const contexts = new Set(opened.flatMap(({ key, also = [] }) => [...key, ...also]))
  const parts = [
    sql`(to_jsonb(exported) - ${omitted}::text[])::text as plain`,
    ...[...contexts].map((column) => raw(`"${column}"`)),
    ...opened.flatMap(({ column, where = 'true' }) => [
      raw(`case when ${where} then "${column}" end as "sealed ${column}"`),
      raw(`case when not (${where}) then convert_from("${column}", 'UTF8') end as "unsealed ${column}"`),
    ]),
  ]
  const owner = raw(columns.includes('tenant_id') ? 'tenant_id' : 'id')
  return sql`select ${join(parts)} from ${raw(name)} exported where ${owner} = ${tenantId}`
}

type ExportedRow = Parameters<SealedColumn['contextOf']>[0] & { readonly plain: string }

async function lineOf(
  row: ExportedRow,
  opened: readonly SealedColumn[],
  vault: Vault,
): Promise<{ text: string; damaged: number }> {
  const values = await Promise.all(
    opened.map(async ({ column, contextOf }) => {
      const box = row[`sealed ${column}`] as Buffer | null
      const unsealed = row[`unsealed ${column}`] as string | null
      const text = box === null ? unsealed : await openedOrUndefined(vault.open(box, contextOf(row)))
      return { text: `${JSON.stringify(column)}: ${JSON.stringify(text ?? null)}`, isDamaged: text === undefined }
    }),
  )
  const members = [row.plain.slice(1, -1), ...values.map(({ text }) => text)].filter((text) => text !== '')
  return { text: `{${members.join(', ')}}`, damaged: values.filter(({ isDamaged }) => isDamaged).length }
}

const batchRows = 500
// A table of a large tenant takes as long as the disk needs.
const msMax = 24 * 3_600_000
