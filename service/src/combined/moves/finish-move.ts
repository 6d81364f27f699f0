import { connectForMaintenance } from '../../platform/db/maintenance-client.ts'
import { deleteResidence, deleteRows, ignoreForeignKeys } from './finish-move.sql.ts'
import { MoveRejected } from './move-rejected.ts'
import type { MoveContext } from './move-tenant.ts'
import { auditTables, replicatedTables } from './moved-tables.ts'
import { findResidence } from './prerequisites.sql.ts'
import { dropStream, streamOf } from './replication.sql.ts'
import { deleteMove, findLocation, findMove, setMoveStep } from './tenant-move.sql.ts'

export interface FinishedMove {
  /** The cell that the tenant is in. */
  readonly cell: string
  /** The cell in which its rows were deleted. */
  readonly cleaned: string
  readonly rows: number
}

/**
 * Ends a move for good: stops replication and deletes the rows in the cell that the tenant is not in. For a complete
 * move that is the source, and the tenant can no longer move back; for one that is still copying, the target.
 */
export async function finishMove(context: MoveContext, tenantId: string): Promise<FinishedMove> {
  const { directory, cellOf, report } = context
  const [move, location] = [await findMove(directory, tenantId), await findLocation(directory, tenantId)]
  if (!move || !location) throw new MoveRejected(`Tenant ${tenantId} is not moving, and left nothing behind.`)
  if (move.step === 'switching' || move.step === 'switched')
    throw new MoveRejected(`The tenant is switching: run maintain move-tenant --to ${move.to} to complete that first.`)
  const [home, other] = [await cellOf(location.cell), await cellOf(location.cell === move.to ? move.from : move.to)]
  const residence = await findResidence(other.client, tenantId)
  if (residence?.state === 'here')
    throw new MoveRejected(`Cell ${other.name} says that the tenant is there: nothing was deleted.`)
  await setMoveStep(directory, tenantId, 'finishing')
  // Of both directions: a move that was ended while it copied may have prepared its way back.
  for (const epoch of [move.epoch, move.epoch + 1n])
    for (const [from, to] of [
      [home, other],
      [other, home],
    ] as const)
      await dropStream(streamOf(tenantId, epoch, from, to))
  const cleaner = await connectForMaintenance(other.url, 'finish-move')
  let rows = 0
  try {
    await ignoreForeignKeys(cleaner)
    // The approvals and the audit log of a directory in the same database stay.
    const all = !other.isDirectory
    for (const table of all ? [...replicatedTables, ...auditTables] : replicatedTables)
      rows += await deleteRows(cleaner, table, { tenantId, all })
    await deleteResidence(cleaner, tenantId)
  } finally {
    await cleaner.end()
  }
  report(`deleted ${rows} rows in cell ${other.name}`)
  await deleteMove(directory, tenantId)
  return { cell: home.name, cleaned: other.name, rows }
}
