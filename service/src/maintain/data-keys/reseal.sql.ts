import { join, raw, type Sql, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { openedOrUndefined, type Vault } from '../../platform/postgres/vault.ts'

/** A column whose values the vault has sealed. */
export interface SealedColumn {
  readonly table: `cell.${string}` | `base.${string}`
  readonly column: string
  /** The primary key after tenant_id. */
  readonly key: readonly [string, ...string[]]
  /** Further columns that the context needs. */
  readonly also?: readonly string[]
  /** An SQL condition, if not all values are sealed. */
  readonly where?: string
  /** The context with which the value of this row was sealed. */
  readonly contextOf: (row: SealedRow) => string
}

/** Texts, except for binary keys. */
// oxlint-disable-next-line typescript/no-explicit-any -- each column knows the type of its key
type SealedRow = Readonly<Record<string, any>>

interface Batch {
  readonly resealed: number
  /** The key of the last row, to continue after; undefined if there are no more rows. */
  readonly last: readonly unknown[] | undefined
}

const batchMax = 100

/**
 * Re-encrypts up to a hundred values that are not under the tenant's current key. Locks their rows and skips any that
 * are locked already, so it neither waits for the service nor overwrites its changes.
 */
export async function resealBatch(
  tx: Transaction,
  vault: Vault,
  column: SealedColumn,
  { tenantId, keyId, after }: { tenantId: string; keyId: string; after: readonly unknown[] | undefined },
): Promise<Batch> {
  const names = [...column.key, ...(column.also ?? [])].map((name) => `"${name}"`).join(', ')
  const isAfter = after ? sql`and ${rowOf(column.key)} > (${join(after.map((value) => sql`${value}`))})` : sql``
  const rows = await tx.rows<SealedRow & { sealed: Buffer }>(sql`
    select ${raw(names)}, ${raw(column.column)} as sealed from ${raw(column.table)}
    where ${hasOtherKey(column, { tenantId, keyId })} ${isAfter}
    order by ${raw(column.key.join(', '))} limit ${batchMax}
    for no key update skip locked`)
  let resealed = 0
  for (const row of rows) {
    const context = column.contextOf(row)
    const plain = await openedOrUndefined(vault.open(row.sealed, context))
    // A damaged value stays as it is, and so does its key.
    if (plain === undefined) continue
    const sealed = await vault.seal(plain, context)
    resealed += 1
    await tx.rows(sql`
      update ${raw(column.table)} set ${raw(column.column)} = ${sealed}
      where tenant_id = ${tenantId} and ${rowOf(column.key)} = (${join(column.key.map((name) => sql`${row[name]}`))})
        and ${raw(column.column)} = ${row.sealed}`)
  }
  const final = rows.at(-1)
  const isFull = rows.length === batchMax
  return { resealed, last: isFull ? column.key.map((name) => final?.[name]) : undefined }
}

/** Counts the values under any other key than this one. */
export async function countOtherKeys(
  tx: Transaction,
  columns: readonly SealedColumn[],
  key: { tenantId: string; keyId: string },
): Promise<number> {
  let total = 0
  for (const column of columns) {
    const found = await tx.row<{ count: string }>(sql`
      select count(*) as count from ${raw(column.table)} where ${hasOtherKey(column, key)}`)
    total += Number(found?.count ?? 0)
  }
  return total
}

/** The bytes of a sealed box after its version are the id of its key. */
function hasOtherKey(
  { column, where = 'true' }: SealedColumn,
  { tenantId, keyId }: { tenantId: string; keyId: string },
): Sql {
  const id = Buffer.from(keyId.replaceAll('-', ''), 'hex')
  return sql`tenant_id = ${tenantId} and ${raw(where)} and substring(${raw(column)} from 2 for 16) <> ${id}`
}

function rowOf(names: readonly string[]): Sql {
  return raw(`(${names.join(', ')})`)
}
