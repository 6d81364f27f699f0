import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { Sql } from 'sql-template-tag'

export { default as sql, join, raw, Sql } from 'sql-template-tag'

/** A named statement for pg, so that PostgreSQL parses and plans each text once per connection. */
export interface PreparedStatement {
  readonly name: string
  readonly text: string
  readonly values: unknown[]
  /** True if the caller wants the rows as PostgreSQL sends them. */
  readonly isRaw?: true
}

/** Runs single statements without a tenant, with the role of the pool. The worker's role sees some columns of all. */
export const acrossTenants = (pool: pg.Pool) => ({
  rows: async <Row extends object>(statement: Sql): Promise<Row[]> => (await pool.query<Row>(prepared(statement))).rows,
})

export function prepared(statement: Sql): PreparedStatement {
  const text = statement.text
  let name = names.get(text)
  if (!name) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 22)
    names.set(text, name)
  }
  return { name, text, values: statement.values }
}

// Statements are templates in the source, so the source limits the number of entries.
const names = new Map<string, string>()
