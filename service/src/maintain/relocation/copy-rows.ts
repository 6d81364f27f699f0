import { setTimeout as sleep } from 'node:timers/promises'
import { connectForMaintenance } from '../../platform/postgres/maintenance-client.ts'
import { hasRows } from './copies.sql.ts'
import { deleteRows, ignoreForeignKeys } from './finish-move.sql.ts'
import { MoveRejected } from './move-rejected.ts'
import {
  createPublication,
  createSubscription,
  dropStream,
  findCopyProgress,
  hasSlot,
  publishedTables,
  requireSlot,
  type Stream,
  skipTo,
  stopSubscription,
} from './replication.sql.ts'

type Report = (line: string) => void

/** Waits until all existing rows are copied and the target follows. */
export async function copied(stream: Stream, report: Report): Promise<void> {
  let reported = -1
  let errorsBefore: number | undefined
  for (;;) {
    // The target cannot distinguish a lost slot from a source that restarts.
    await requireSlot(stream)
    const { ready, tables, errors } = await findCopyProgress(stream)
    // An earlier run may have failed because of these errors.
    errorsBefore ??= errors
    if (errors - errorsBefore >= copyErrorsMax)
      throw new MoveRejected(
        `Copying to cell ${stream.to.name} fails: the log of its server says why. Fix it and run the command again, ` +
          'or end the move with maintain finish-move.',
      )
    if (ready > reported) report(`copied ${ready} of ${tables} tables`)
    if (tables > 0 && ready === tables) return
    reported = ready
    await sleep(progressMs)
  }
}

/** A restart of the server causes some errors, too. */
const copyErrorsMax = 5
const progressMs = 200

/**
 * Deletes the copy and the stream if the source has lost the slot, so that both can be created anew: the copy lacks
 * changes that no slot brings back. The target does not serve the tenant. The stream goes last, so that a command that
 * is killed before then finds it without a slot again.
 */
export async function deleteLostCopy(
  stream: Stream,
  { isCopied }: { isCopied: boolean },
  report: Report,
): Promise<void> {
  if (await hasSlot(stream)) return
  const { from, to, name, tenantId } = stream
  report(`cell ${from.name} has lost the slot ${name}, as in a failover: copying the rows to cell ${to.name} anew`)
  await stopSubscription(stream)
  const cleaner = await connectForMaintenance(to.url, 'move-tenant')
  try {
    await ignoreForeignKeys(cleaner)
    for (const table of publishedTables(stream, { isCopied }))
      await deleteRows(cleaner, table, { tenantId, all: !to.isDirectory })
  } finally {
    await cleaner.end()
  }
  await dropStream(stream)
}

/** Replicates changes from the new cell to the old one, whose copy is as of the switch. */
export async function openWayBack(back: Stream, switchedLsn: string, report: Report): Promise<void> {
  await deleteLostCopy(back, { isCopied: false }, report)
  await createPublication(back, { isCopied: false })
  await skipTo(back, switchedLsn)
  const copies = !(await hasRows(back.to.client, 'cell.tenant', back.tenantId))
  await createSubscription(back, { copies })
  await copied(back, copies ? report : () => {})
}
