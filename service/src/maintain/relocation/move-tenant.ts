/**
 * Moves a tenant to another cell while it is served. Each step can be repeated, and the step that begins is stored in
 * the directory, so a command that was killed continues when it runs again:
 *
 *   copying    publish the tenant's rows in the source, copy them to the target and follow its changes; compare
 *              checksums; prepare the stream back
 *   switching  let writes wait, switch residence and directory (switch-cell.ts)
 *   switched   replace the stream by one back to the source; compare checksums again
 *   moved      the source has a copy that follows, so the tenant can move back until finish-move deletes it
 *
 * A move back is the same with exchanged roles. Its stream and copy exist already. If the slot of a stream is lost in
 * a failover, the rows are copied anew (copy-rows.ts).
 */
import type pg from 'pg'
import { createPartitions, deleteJobs, setLeft } from './arrival.sql.ts'
import { copied, deleteLostCopy, openWayBack } from './copy-rows.ts'
import { passMovePoint } from './move-points.ts'
import { MoveRejected } from './move-rejected.ts'
import { requirePrerequisites } from './prerequisites.ts'
import {
  createPublication,
  createSubscription,
  dropStream,
  hasSubscription,
  type MovingCell,
  type Stream,
  streamOf,
} from './replication.sql.ts'
import { switchCell, undoUnlessArrived } from './switch-cell.ts'
import { findLocation, findMove, insertMove, setMoveStep, type TenantMove } from './tenant-move.sql.ts'
import { verifyCopies } from './verify-copies.ts'

/** Resources of a move: the directory with the owner's login, each cell, and a way to report progress. */
export interface MoveContext {
  readonly directory: pg.Client
  readonly cellOf: (name: string) => Promise<MovingCell>
  readonly report: (line: string) => void
  /** Records that the tenant has moved, in the audit log of its new cell. */
  readonly audit: (move: TenantMove) => Promise<void>
}

export interface CompletedMove {
  readonly from: string
  readonly to: string
  readonly epoch: bigint
  /** Time that writes waited; undefined if an earlier run switched. */
  readonly pauseMs: number | undefined
  readonly tablesCompared: number
}

/** Starts the move, or continues it. */
export async function moveTenant(context: MoveContext, tenantId: string, wantedCell: string): Promise<CompletedMove> {
  const { directory, report, cellOf } = context
  const move = await startOrFind(context, tenantId, wantedCell)
  passMovePoint('started')
  const [from, to] = [await cellOf(move.from), await cellOf(move.to)]
  const forward = streamOf(tenantId, move.epoch, from, to)
  const back = streamOf(tenantId, move.epoch + 1n, to, from)
  let pauseMs: number | undefined
  if (move.step === 'copying' || move.step === 'switching') {
    // While the tenant is switching, writes wait. First they must be able to continue, in one of the cells.
    const isCopying = move.step === 'copying' || (await undoUnlessArrived(directory, move, forward))
    if (isCopying) await copyAndCompare(forward, back, report)
    pauseMs = await switchCell(directory, move, forward)
    report(`switched to cell ${to.name}: writes waited for ${Math.round(pauseMs)} ms`)
    passMovePoint('switched')
  }
  const tablesCompared = await completeMove(context, tenantId, { forward, back })
  return { from: from.name, to: to.name, epoch: move.epoch + 1n, pauseMs, tablesCompared }
}

async function startOrFind(
  { directory, cellOf, report }: MoveContext,
  tenantId: string,
  wantedCell: string,
): Promise<TenantMove> {
  const location = await findLocation(directory, tenantId)
  if (!location) throw new MoveRejected(`Tenant ${tenantId} does not exist.`)
  const existing = await findMove(directory, tenantId)
  if (existing?.step === 'finishing')
    throw new MoveRejected('What an earlier move left behind is being deleted: complete maintain finish-move first.')
  if (existing && existing.step !== 'moved') {
    if (existing.to !== wantedCell)
      throw new MoveRejected(
        `The tenant is moving to cell ${existing.to}: complete that with --to ${existing.to}` +
          `${existing.step === 'copying' ? ', or end it with maintain finish-move' : ''}.`,
      )
    report(`continuing the move from cell ${existing.from} at the step ${existing.step}`)
    return existing
  }
  if (location.cell === wantedCell) throw new MoveRejected(`The tenant is in cell ${wantedCell} already.`)
  const started = { tenantId, from: location.cell, to: wantedCell, epoch: location.epoch }
  if (existing && existing.from !== wantedCell)
    throw new MoveRejected(
      `The tenant can still move back to cell ${existing.from}: end that with maintain finish-move, then move it.`,
    )
  if (existing && (await cellOf(started.from)).isDirectory)
    throw new MoveRejected(
      `The tenant has returned to cell ${started.from}, whose audit log is also that of the directory, so the other ` +
        'cell has no copy of it: end that with maintain finish-move, then move it.',
    )
  if (!existing)
    await requirePrerequisites({ ...started, from: await cellOf(started.from), to: await cellOf(wantedCell) })
  await insertMove(directory, started)
  return { ...started, step: 'copying', switchedLsn: null, copiedJobs: [] }
}

async function copyAndCompare(forward: Stream, back: Stream, report: (line: string) => void): Promise<void> {
  if (await hasSubscription(forward)) await deleteLostCopy(forward, { isCopied: true }, report)
  await createPartitions(forward.from.client, forward.to.client)
  await createPublication(forward, { isCopied: true })
  passMovePoint('published')
  await createSubscription(forward, { copies: true })
  await copied(forward, report)
  passMovePoint('copied')
  report(`${await verifyCopies(forward)} tables have equal checksums in both cells`)
  passMovePoint('verified')
  await createPublication(back, { isCopied: false })
  passMovePoint('way back prepared')
}

async function completeMove(
  { directory, report, audit }: MoveContext,
  tenantId: string,
  { forward, back }: { forward: Stream; back: Stream },
): Promise<number> {
  const { from } = forward
  const move = await findMove(directory, tenantId)
  if (!move?.switchedLsn) throw new Error('the move has no position to replicate back from')
  await setLeft(from.client, tenantId, move.epoch)
  await dropStream(forward)
  passMovePoint('stream dropped')
  await openWayBack(back, move.switchedLsn, report)
  passMovePoint('way back open')
  await deleteJobs(from.client, move.copiedJobs)
  passMovePoint('jobs deleted')
  const tablesCompared = await verifyCopies(back)
  report(`${tablesCompared} tables have equal checksums in both cells, and changes are replicated back`)
  await audit(move)
  await setMoveStep(directory, tenantId, 'moved')
  passMovePoint('moved')
  return tablesCompared
}
