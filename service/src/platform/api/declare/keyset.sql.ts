import { isUuid, rowIdAt } from '../../base/ids.ts'
import { join, raw, type Sql, sql } from '../../postgres/sql.ts'
import type { Transaction } from '../../postgres/transaction.ts'
import { validationFailed } from '../errors/errors.ts'
import { isCalendarDate } from './fields.ts'
import { countMax, type KeysetPage, type KeysetRow, keysetLimitMax } from './keyset-list.ts'

/** Types whose comparison is leakproof. Row-level security uses no index for others, such as numeric. */
type KeyType = 'bigint' | 'integer' | 'date' | 'timestamptz' | 'text' | 'uuid'

/** A column to sort by. It must not be null, and needs an index that starts with the tenant and ends with the id. */
export interface SortKey {
  readonly column: Sql
  readonly type: KeyType
}

/** The parts of a statement that select a page. */
export interface KeysetCut {
  /** Columns of the row that a cursor needs. */
  readonly column: Sql
  /** The condition that starts after the cursor. */
  readonly where: Sql
  /** Order and limit: at least one row more than fits, which shows that there is a next page. */
  readonly orderBy: Sql
}

/** Builds the parts of a page's statement. `id` is unique within the list and has the type `idType`. */
export function keysetCut(
  id: Sql,
  { sort, direction, limit, after }: KeysetPage,
  keys: Readonly<Record<string, SortKey>> = {},
  idType: KeyType = 'uuid',
): KeysetCut {
  const order = direction === 'asc' ? raw('asc') : raw('desc')
  const comparison = direction === 'asc' ? raw('>') : raw('<')
  const key = keys[sort]
  if (after && (!isKey[idType](after.id) || (after.key === null) !== (key === undefined))) throw invalidCursor()
  const end = limitAbove(limit)
  const lastId = sql`${after?.id}::${raw(idType)}`
  if (!key)
    return {
      column: sql`${id}::text as "cursorId", null::text as "sortKey"`,
      where: after ? sql`${id} ${comparison} ${lastId}` : sql`true`,
      orderBy: sql`order by ${id} ${order} ${end}`,
    }
  if (after && !isKey[key.type](after.key ?? '')) throw invalidCursor()
  const lastKey = sql`${after?.key}::${raw(key.type)}`
  return {
    column: sql`${id}::text as "cursorId", ${key.column}::text as "sortKey"`,
    where: after ? sql`(${key.column}, ${id}) ${comparison} (${lastKey}, ${lastId})` : sql`true`,
    orderBy: sql`order by ${key.column} ${order}, ${id} ${order} ${end}`,
  }
}

/**
 * Uses one of a few literals. The planner does not know the value of a parameter: it would plan for a tenth of the
 * table, and read every account to join 25.
 */
function limitAbove(limit: number): Sql {
  // Only callers inside the service read more than a page of the API.
  const rows = [26, 51, keysetLimitMax + 1].find((size) => size > limit) ?? limit + 1
  return raw(`limit ${rows}`)
}

// A cursor that was tampered with must be a 400 and not an error of PostgreSQL.
const isKey: Readonly<Record<KeyType, (text: string) => boolean>> = {
  bigint: (text) => /^-?\d{1,18}$/.test(text),
  integer: (text) => /^-?\d{1,9}$/.test(text),
  date: isCalendarDate,
  timestamptz: (text) =>
    isCalendarDate(text.slice(0, 10)) &&
    /^.{10} ([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?[+-](0\d|1[0-4])(:[0-5]\d)?$/.test(text),
  text: (text) => text.isWellFormed() && /^[^\0]{0,300}$/.test(text),
  uuid: isUuid,
}

function invalidCursor() {
  return validationFailed([
    { parameter: 'cursor', detail: 'The query parameter cursor must come from `next` of a page.' },
  ])
}

/** Counts rows of `from … where …`. Stops one above `max`, which shows that there are more. */
export async function boundedCount(tx: Transaction, fromWhere: Sql, max = countMax): Promise<number> {
  const counted = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from (select ${fromWhere} limit ${raw(String(max + 1))}) counted`)
  return counted?.count ?? 0
}

/** Joins conditions with `and`. A filter that is not given is undefined, and must not reach the planner. */
export function allOf(conditions: readonly (Sql | undefined)[]): Sql {
  return join(
    conditions.filter((condition) => condition !== undefined),
    ' and ',
  )
}

/** A filter by one value, or undefined if it is not given. */
export function isEqual(column: Sql, value: string | undefined): Sql | undefined {
  return value === undefined ? undefined : sql`${column} = ${value}`
}

/** A filter of a text column by one or several values, or undefined if not given. One value is compared with `=`. */
export function isOneOf(column: Sql, values: readonly string[] | undefined): Sql | undefined {
  if (values === undefined) return undefined
  return values.length === 1 ? sql`${column} = ${values[0]}` : sql`${column} = any (${values}::text[])`
}

/**
 * Returns the conditions of a page of a list that is filtered by one or several values of a text column.
 *
 * An index on the column and the id is in the order of the ids for one value only: with a condition on several values
 * PostgreSQL would sort all their rows, or read every row of the table. So each value is one ordered index scan, and
 * only the first rows of each are sorted.
 */
export function pageCondition(
  others: Sql,
  {
    id,
    from,
    column,
    values,
    cut,
  }: {
    id: Sql
    /** The table. `id`, `column` and the other conditions must qualify its columns with this name. */
    from: Sql
    column: Sql
    values: readonly string[] | undefined
    cut: KeysetCut
  },
): Sql {
  if (values === undefined || values.length === 1) return allOf([others, isOneOf(column, values), cut.where])
  return sql`${others} and ${id} = any (array(
    select picked.id from unnest(${values}::text[]) as wanted (value) cross join lateral (
      select ${id} as id from ${from} where ${others} and ${column} = wanted.value and ${cut.where} ${cut.orderBy}
    ) picked))`
}

/** A list of rows of one table. Its conditions qualify columns with the name of the table. */
export interface KeysetRows<Row> {
  readonly columns: Sql
  readonly from: Sql
  /** Tables that only the columns need. */
  readonly joins?: Sql
  readonly where: Sql
  /** Rows are in its order. Unique within the list. */
  readonly id: Sql
  readonly idType?: KeyType
  /** Other columns than the id that the list can be sorted by. */
  readonly keys?: Readonly<Record<string, SortKey>>
  /** A filter by values of a text column, see pageCondition. */
  readonly filter?: { readonly column: Sql; readonly values: readonly string[] | undefined }
  /** Converts columns of the rows. */
  readonly read?: (rows: Row[]) => Row[]
}

/** Counts the rows of a list and selects a page of them, in one round trip. */
export async function countedPage<Row>(
  tx: Transaction,
  page: KeysetPage,
  {
    columns,
    from,
    joins = sql``,
    where,
    id,
    idType = 'uuid',
    keys = {},
    filter,
    read = (rows) => rows,
  }: KeysetRows<Row & KeysetRow>,
): Promise<{ count: number; rows: (Row & KeysetRow)[] }> {
  const { column, values } = filter ?? { column: id, values: undefined }
  const cut = keysetCut(id, page, keys, idType)
  const shown = pageCondition(where, { id, from, column, values, cut })
  const [count, rows] = await tx.batch(
    (tx) => boundedCount(tx, sql`from ${from} where ${allOf([where, isOneOf(column, values)])}`),
    (tx) =>
      tx.rows<Row & KeysetRow>(sql`
        select ${columns}, ${cut.column} from ${from} ${joins} where ${shown} ${cut.orderBy}`),
  )
  return { count, rows: read(rows) }
}

export interface CreatedRange {
  created_from?: string | undefined
  created_to?: string | undefined
}

/**
 * Selects the rows created in a range of time. Ids begin with their time of creation, so a range of ids finds the rows
 * without an index on `createdAt`. That is compared too: the clocks of a process and the database differ.
 */
export function isCreatedWithin(id: Sql, createdAt: Sql, range: CreatedRange): Sql | undefined {
  const { created_from: from, created_to: to } = range
  const conditions = [
    from === undefined
      ? undefined
      : sql`${createdAt} >= ${from}::timestamptz and ${id} >= ${idAt(from, -slackMs)}::uuid`,
    to === undefined ? undefined : sql`${createdAt} < ${to}::timestamptz and ${id} < ${idAt(to, slackMs)}::uuid`,
  ].filter((condition) => condition !== undefined)
  return conditions.length === 0 ? undefined : allOf(conditions)
}

// Far longer than clocks differ, and than a transaction may take.
const slackMs = 3_600_000

function idAt(timestamp: string, shiftMs: number): string {
  return rowIdAt(new Date(Date.parse(timestamp) + shiftMs))
}
