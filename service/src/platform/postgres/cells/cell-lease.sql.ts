import type pg from 'pg'
import { sql } from '../sql.ts'
import type { Transaction } from '../transaction.ts'
import type { CellLease } from './plan-leases.ts'

/** The two kinds of processes that work on cells by themselves. */
export type LeaseKind = 'worker' | 'indexer'

/** A process that has not renewed its leases for this long counts as dead. It renews them every 3 s. */
const ttlSeconds = 15

/** Makes the processes of a kind plan one after the other, until the end of the transaction. */
export async function lockLeases(tx: Transaction, kind: LeaseKind): Promise<void> {
  await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended(${`directory.cell_lease ${kind}`}, 0))`)
}

/** Records that the process is alive, and removes dead ones with their leases. */
export async function renewProcess(tx: Transaction, kind: LeaseKind, process: string): Promise<void> {
  await tx.rows(sql`delete from directory.cell_process where kind = ${kind} and expires_at < now()`)
  await tx.rows(sql`
    insert into directory.cell_process (kind, process, expires_at)
    values (${kind}, ${process}, now() + make_interval(secs => ${ttlSeconds}))
    on conflict (kind, process) do update set expires_at = excluded.expires_at`)
}

export async function selectProcesses(tx: Transaction, kind: LeaseKind): Promise<string[]> {
  const rows = await tx.rows<{ process: string }>(sql`select process from directory.cell_process where kind = ${kind}`)
  return rows.map(({ process }) => process)
}

export function selectLeases(tx: Transaction, kind: LeaseKind): Promise<CellLease[]> {
  return tx.rows<CellLease>(sql`select process, cell from directory.cell_lease where kind = ${kind}`)
}

export async function insertLeases(
  tx: Transaction,
  { kind, process }: { kind: LeaseKind; process: string },
  cells: readonly string[],
): Promise<void> {
  await tx.rows(sql`
    insert into directory.cell_lease (kind, process, cell)
    select ${kind}, ${process}, unnest(${cells}::text[]) on conflict do nothing`)
}

export async function deleteLeases(
  tx: Transaction,
  { kind, process }: { kind: LeaseKind; process: string },
  cells: readonly string[],
): Promise<void> {
  await tx.rows(sql`
    delete from directory.cell_lease where kind = ${kind} and process = ${process} and cell = any (${cells}::text[])`)
}

/** Deletes a process and with it its leases. */
export async function deleteProcess(tx: Transaction, kind: LeaseKind, process: string): Promise<void> {
  await tx.rows(sql`delete from directory.cell_process where kind = ${kind} and process = ${process}`)
}

/** Counts the live processes that have leased each cell. Without leases, each process serves all cells. */
export async function selectLeaseCounts(client: pg.Client): Promise<{ kind: string; cell: string; count: number }[]> {
  const { rows } = await client.query<{ kind: string; cell: string; count: number }>(
    `select kind, cell, count(*)::int as count from directory.cell_lease
     join directory.cell_process using (kind, process) where expires_at > now() group by kind, cell`,
  )
  return rows
}
