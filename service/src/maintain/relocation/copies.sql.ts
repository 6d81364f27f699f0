import type pg from 'pg'
import { rowsOfTenant } from './moved-tables.ts'

/** Locks out everything that writes rows of the tenant, until the transaction of the client ends. */
export async function lockTenant(client: pg.Client, tenantId: string): Promise<void> {
  // Every write takes this lock shared. It is fair, so later writes wait behind this one: hence the short timeout.
  await client.query(`set local lock_timeout = '${lockMsMax}ms'`)
  await client.query(`select pg_advisory_xact_lock(hashtextextended('cell.residence ' || $1, 0))`, [tenantId])
}

/** Shorter than the time for which a request retries to enter the cell. */
const lockMsMax = 2_000

/** Locks out the numbering of events: workers do it without entering the cell. */
export async function lockNumbering(client: pg.Client): Promise<void> {
  await client.query(`select pg_advisory_xact_lock(hashtextextended('cell.event_outbox', 0))`)
}

/** Begins a transaction that sees the rows as they are now until it ends. */
export async function openSnapshot(client: pg.Client): Promise<void> {
  await client.query('begin isolation level repeatable read read only')
  // The first query determines what the transaction sees. The text of a row must not depend on the server's settings.
  await client.query(`select set_config('timezone', 'utc', true), set_config('datestyle', 'iso', true),
                             set_config('bytea_output', 'hex', true), set_config('extra_float_digits', '1', true)`)
}

/** Returns the number of rows and the sum of their hashes, which does not depend on their order. */
export async function checksumOf(client: pg.Client, table: string, tenantId: string): Promise<string> {
  const [name = ''] = table.split('.').slice(-1)
  const { rows } = await client.query<{ checksum: string }>(
    `select count(*) || ' rows ' || coalesce(sum(hashtextextended(${name}::text, 0)::numeric), 0) as checksum
     from ${rowsOfTenant(table)}`,
    [tenantId],
  )
  return rows[0]?.checksum ?? ''
}

export interface TableSize {
  readonly table: string
  readonly rows: number
  readonly bytes: number
}

export async function sizeOf(client: pg.Client, table: string, tenantId: string): Promise<TableSize> {
  const [name = ''] = table.split('.').slice(-1)
  const { rows } = await client.query<{ rows: string; bytes: string }>(
    `select count(*) as rows, coalesce(sum(pg_column_size(${name}.*)), 0) as bytes from ${rowsOfTenant(table)}`,
    [tenantId],
  )
  return { table, rows: Number(rows[0]?.rows), bytes: Number(rows[0]?.bytes) }
}

export async function hasRows(client: pg.Client, table: string, tenantId: string): Promise<boolean> {
  const { rowCount } = await client.query(`select from ${rowsOfTenant(table)} limit 1`, [tenantId])
  return rowCount !== 0
}
