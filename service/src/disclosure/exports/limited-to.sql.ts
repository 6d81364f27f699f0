import { type Sql, sql } from '../../platform/postgres/sql.ts'

/** Returns the condition of an optional filter: one value, or any of several. */
export function limitedTo(column: Sql, wanted: string | readonly string[] | undefined): Sql {
  if (wanted === undefined) return sql`true`
  return typeof wanted === 'string' ? sql`${column} = ${wanted}` : sql`${column} = any (${wanted}::text[])`
}
