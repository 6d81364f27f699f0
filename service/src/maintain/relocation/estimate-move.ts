import { sizeOf } from './copies.sql.ts'
import { MoveRejected } from './move-rejected.ts'
import type { MoveContext } from './move-tenant.ts'
import { auditTables, replicatedTables } from './moved-tables.ts'
import { findProblems } from './prerequisites.ts'
import { findLocation, findMove } from './tenant-move.sql.ts'

export interface MoveEstimate {
  readonly from: string
  readonly rows: number
  readonly bytes: number
  readonly seconds: number
  /** Reasons why the move would be rejected. A move back needs no prerequisites, since its copy exists. */
  readonly problems: readonly string[]
}

/** Estimates how much a move would copy. Changes nothing. */
export async function estimateMove(
  { directory, cellOf }: MoveContext,
  tenantId: string,
  target: string,
): Promise<MoveEstimate> {
  const location = await findLocation(directory, tenantId)
  if (!location) throw new MoveRejected(`Tenant ${tenantId} does not exist.`)
  if (location.cell === target) throw new MoveRejected(`The tenant is in cell ${target} already.`)
  const [from, to] = [await cellOf(location.cell), await cellOf(target)]
  const isMoving = (await findMove(directory, tenantId)) !== undefined
  const problems = isMoving ? [] : await findProblems({ tenantId, epoch: location.epoch, from, to })
  let [rows, bytes] = [0, 0]
  for (const table of [...replicatedTables, ...auditTables]) {
    const size = await sizeOf(from.client, table, tenantId)
    rows += size.rows
    bytes += size.bytes
  }
  const seconds = isMoving ? 0 : Math.ceil(secondsOfTables + rows / rowsPerSecond)
  return { from: from.name, rows, bytes, seconds, problems }
}

// Measured on two busy cores: 400,000 rows in 23 to 39 s, and about 5 s for the tables of a small tenant.
const secondsOfTables = 5
const rowsPerSecond = 10_000
