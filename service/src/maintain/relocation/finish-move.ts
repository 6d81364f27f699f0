import { connectForMaintenance } from '../../platform/postgres/maintenance-client.ts'
import { deleteResidence, deleteRows, ignoreForeignKeys } from './finish-move.sql.ts'
import { MoveRejected } from './move-rejected.ts'
import type { MoveContext } from './move-tenant.ts'
import { auditTables, replicatedTables } from './moved-tables.ts'
import { findResidence } from './prerequisites.sql.ts'
import { dropStream, type MovingCell, streamOf } from './replication.sql.ts'
import { deleteMove, findLocation, findMove, setMoveStep } from './tenant-move.sql.ts'

export interface FinishedMove {
  /** The cell in which the tenant is. */
  readonly cell: string
  /** The cell in which its rows were deleted. */
  readonly cleaned: string
  readonly rows: number
}

/**
 * Ends a move for good: stops replication and deletes the rows in the cell that the tenant is not in. After a complete
 * move that is the source, and the tenant can no longer move back; while it is still copying, the target. With
 * `restoredCell` it deletes the rows that a restore has brought back to that cell, even if there is no move.
 */
export async function finishMove(context: MoveContext, tenantId: string, restoredCell?: string): Promise<FinishedMove> {
  const { directory, cellOf, report } = context
  const [move, location] = [await findMove(directory, tenantId), await findLocation(directory, tenantId)]
  const left = restoredCell ?? (move?.to === location?.cell ? move?.from : move?.to)
  if (!left || !location) throw new MoveRejected(`Tenant ${tenantId} is not moving, and left nothing behind.`)
  if (left === location.cell) throw new MoveRejected(`The tenant is in cell ${left}: nothing was deleted.`)
  if (move?.step === 'switching' || move?.step === 'switched')
    throw new MoveRejected(`The tenant is switching: run maintain move-tenant --to ${move.to} to complete that first.`)
  const [home, other] = [await cellOf(location.cell), await cellOf(left)]
  const residence = await findResidence(other.client, tenantId)
  if (residence?.state === 'here')
    throw new MoveRejected(`Cell ${other.name} says that the tenant is there: nothing was deleted.`)
  const isOfMove = left === move?.from || left === move?.to
  if (isOfMove) await setMoveStep(directory, tenantId, 'finishing')
  // Leaves out a move between other cells, whose streams have the same names.
  if (isOfMove || !move) await dropStreams(tenantId, location.epoch, [home, other])
  const cleaner = await connectForMaintenance(other.url, 'finish-move')
  let rows = 0
  try {
    await ignoreForeignKeys(cleaner)
    // In a database that is also the directory, the directory's approvals and audit log stay.
    const all = !other.isDirectory
    for (const table of all ? [...replicatedTables, ...auditTables] : replicatedTables)
      rows += await deleteRows(cleaner, table, { tenantId, all })
    await deleteResidence(cleaner, tenantId)
  } finally {
    await cleaner.end()
  }
  report(`deleted ${rows} rows in cell ${other.name}`)
  if (isOfMove) await deleteMove(directory, tenantId)
  return { cell: home.name, cleaned: other.name, rows }
}

/** Drops the streams in both directions, and a prepared way back: each has the epoch of the cell that it comes from. */
export async function dropStreams(
  tenantId: string,
  epoch: bigint,
  [one, other]: [MovingCell, MovingCell],
): Promise<void> {
  for (const sent of [epoch - 1n, epoch, epoch + 1n])
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const)
      await dropStream(streamOf(tenantId, sent, from, to))
}
