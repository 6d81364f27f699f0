import type pg from 'pg'
import { sql } from './sql.ts'
import type { Transaction } from './transaction.ts'

export const cellStates = ['open', 'full', 'draining'] as const
export type CellState = (typeof cellStates)[number]

/** A row of `directory.cell`. Sizes are numbers: they are far below 2^53. */
export interface CellRow {
  name: string
  state: CellState
  /** Null for the directory's own database. */
  address: string | null
  jurisdiction: string | null
  capacityBytes: number
  usedBytes: number
  measuredAt: Date | null
  tenantCount: number
  createdAt: Date
}

const columns = `name, state, address, jurisdiction, capacity_bytes::float8 as "capacityBytes",
  used_bytes::float8 as "usedBytes", measured_at as "measuredAt", tenant_count::float8 as "tenantCount",
  created_at as "createdAt"`
const statement = `select ${columns} from directory.cell order by name`

export function selectCells(tx: Transaction): Promise<CellRow[]> {
  return tx.rows<CellRow>(sql([statement]))
}

/** Returns no cells if this release's migrations have not run yet. */
export async function selectCellsAsOwner(client: pg.Client): Promise<CellRow[]> {
  const { rows: tables } = await client.query(`select from pg_class where oid = to_regclass('directory.cell')`)
  if (tables.length === 0) return []
  return (await client.query<CellRow>(statement)).rows
}

/** Returns false if the cell exists already. */
export async function insertCell(
  client: pg.Client,
  cell: Pick<CellRow, 'name' | 'state' | 'address' | 'jurisdiction' | 'capacityBytes'>,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `insert into directory.cell (name, state, address, jurisdiction, capacity_bytes) values ($1, $2, $3, $4, $5)
     on conflict do nothing`,
    [cell.name, cell.state, cell.address, cell.jurisdiction, cell.capacityBytes],
  )
  return rowCount === 1
}

/** Stores the address of a cell of the settings. A cell that is known already keeps its state and capacity. */
export async function storeCellAddress(client: pg.Client, name: string, address: string | null): Promise<void> {
  await client.query(
    `insert into directory.cell (name, address) values ($1, $2)
     on conflict (name) do update set address = excluded.address where cell.address is distinct from excluded.address`,
    [name, address],
  )
}

/** Returns false if the cell does not exist. */
export async function updateCellState(client: pg.Client, name: string, state: CellState): Promise<boolean> {
  const { rowCount } = await client.query('update directory.cell set state = $2 where name = $1', [name, state])
  return rowCount === 1
}

export async function updateUsedBytes(tx: Transaction, name: string, usedBytes: number): Promise<void> {
  await tx.rows(sql`update directory.cell set used_bytes = ${usedBytes}, measured_at = now() where name = ${name}`)
}
