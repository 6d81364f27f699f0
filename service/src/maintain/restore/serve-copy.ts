/**
 * Serves a tenant from the copy in a cell that it has left, after a restore has lost its rows in the cell that it moved
 * to. For the tenant this is a restore to the moment of the last change that reached the copy, so the copy is prepared
 * like one: see after-restore.ts. The steps in order; each can be repeated:
 *
 * 1. Replication to the copy stops.
 * 2. The cell accepts the tenant, with an epoch above all others, and its rows are prepared: one transaction. No
 *    process can enter before 4, because the directory has another epoch.
 * 3. Signers catch up with the chains; the audit log records it.
 * 4. The directory names the cell and the epoch.
 */
import { expirePendingApprovals } from '../../access/restore/revoke-after-restore.sql.ts'
import { insertPayoutStops } from '../../money/payouts/payout-stop.sql.ts'
import { matchStatements } from '../../money/statements/match-statements.job.ts'
import { enqueueJob } from '../../platform/jobs/enqueue.sql.ts'
import { inCellTransaction } from '../../platform/postgres/cells/tenant-transaction.ts'
import { inClientTransaction } from '../../platform/postgres/maintenance-client.ts'
import { createPool, openOwnerDatabases } from '../../platform/postgres/pools.ts'
import { raiseEventNumbers } from '../../records/restore/raise-event-numbers.sql.ts'
import { recordRestore } from '../../records/restore/record-restore.ts'
import { recheckOrdersOfOffering } from '../../sales/blockers/recheck-orders.ts'
import { catchUpRestoredSigner } from '../../tokens/restore/catch-up-signers.ts'
import { cancelQueuedActions, selectSigners } from '../../tokens/restore/restored-signer.sql.ts'
import { setHere } from '../relocation/arrival.sql.ts'
import { lockTenant } from '../relocation/copies.sql.ts'
import { dropStreams } from '../relocation/finish-move.ts'
import { MoveRejected } from '../relocation/move-rejected.ts'
import type { MoveContext } from '../relocation/move-tenant.ts'
import { findResidence, isBeingRestored, type Residence } from '../relocation/prerequisites.sql.ts'
import type { MovingCell } from '../relocation/replication.sql.ts'
import { endBrokenMoves, setLocations } from '../relocation/restored-residence.sql.ts'
import { type CopyEnd, findCopyEnd, forgetTokenProgress, selectOfferingIds } from '../relocation/served-copy.sql.ts'
import { findLocation, type Location } from '../relocation/tenant-move.sql.ts'
import type { RestoreContext } from './restore-context.ts'

export interface FoundCopy extends CopyEnd {
  readonly tenantId: string
  readonly cell: MovingCell
  readonly others: readonly MovingCell[]
  /** The location according to the directory now. */
  readonly location: Location
  readonly residence: Residence
}

/** Finds the copy, and rejects it if the tenant is served or a newer one exists. */
export async function findCopy(
  { directory, cellOf }: MoveContext,
  { tenantId, cell: name, cells }: { tenantId: string; cell: string; cells: readonly string[] },
): Promise<FoundCopy> {
  const location = await findLocation(directory, tenantId)
  if (!location) throw new MoveRejected(`Tenant ${tenantId} does not exist.`)
  const cell = await cellOf(name)
  const others: MovingCell[] = []
  for (const other of cells) if (other !== name) others.push(await reach(cellOf, other))
  for (const one of [cell, ...others])
    if (await isBeingRestored(one.client))
      throw new MoveRejected(`Cell ${one.name} was restored: complete maintain after-restore first.`)
  const residence = await findResidence(cell.client, tenantId)
  const end = await findCopyEnd(cell.client, tenantId)
  if (!(end && residence)) throw new MoveRejected(`Cell ${name} has no copy of the tenant.`)
  if (name === location.cell && residence.state === 'here' && residence.epoch === location.epoch)
    throw new MoveRejected(`The tenant is served by cell ${name} already.`)
  for (const { name: other, client } of others) {
    const there = await findResidence(client, tenantId)
    if (there && there.state !== 'left')
      throw new MoveRejected(`Cell ${other} has the tenant: it is not missing. Nothing was changed.`)
    if (there && there.epoch > residence.epoch)
      throw new MoveRejected(`Cell ${other} has a newer copy: serve that one. Nothing was changed.`)
  }
  return { ...end, tenantId, cell, others, location, residence }
}

/** Connects to a cell. One that is down may be the one that serves the tenant, so it must be reachable. */
async function reach(cellOf: MoveContext['cellOf'], name: string): Promise<MovingCell> {
  try {
    return await cellOf(name)
  } catch (error) {
    const advice = `Cell ${name} cannot be reached, and it may have the tenant: start it, then run the command again.`
    throw new MoveRejected(`${advice} ${(error as Error).message}`)
  }
}

export interface ServedCopy {
  readonly epoch: bigint
  readonly lines: readonly string[]
}

export async function serveCopy(
  context: RestoreContext & Pick<MoveContext, 'directory'>,
  copy: FoundCopy,
  { pendingSeconds, mayStayPending }: { pendingSeconds: number; mayStayPending: boolean },
): Promise<ServedCopy> {
  const { tenantId, cell, others, location, residence } = copy
  // After leaving a cell with one epoch, the tenant was in another with the next, even if the directory is older.
  const newest = location.epoch > residence.epoch ? location.epoch : residence.epoch + 1n
  for (const other of others) await dropStreams(tenantId, newest, [cell, other])
  // An earlier run was interrupted after accepting the tenant.
  const isAccepted = residence.state === 'here'
  const epoch = isAccepted ? residence.epoch : newest + 1n
  const end = (await findCopyEnd(cell.client, tenantId)) ?? copy
  const to = end.changedAt ?? new Date(0).toISOString()
  const lines = isAccepted ? [] : await accept(copy, { epoch, to })
  lines.push(...(await catchUpSigners(context, copy, { pendingSeconds, mayStayPending })))
  await enqueueAndRecord(context, copy, to)
  await inClientTransaction(context.directory, async () => {
    await setLocations(context.directory, [{ tenantId, location: { cell: cell.name, epoch } }])
    await endBrokenMoves(context.directory, { restoredCells: [cell.name], tenantIds: [tenantId] })
  })
  return { epoch, lines }
}

function accept({ tenantId, cell: { client } }: FoundCopy, { epoch, to }: { epoch: bigint; to: string }) {
  return inClientTransaction(client, async () => {
    await lockTenant(client, tenantId)
    await setHere(client, tenantId, epoch)
    await raiseEventNumbers(client, to, tenantId)
    const approvals = await expirePendingApprovals(client, tenantId)
    const [due] = await insertPayoutStops(client, to, tenantId)
    const actions = await cancelQueuedActions(client, tenantId)
    const tokens = await forgetTokenProgress(client, tenantId)
    return [
      `${approvals} requests for a second person ended`,
      `payouts are stopped until statements are imported; ${due?.dueRefunds ?? 0} refunds look due`,
      ...actions.map(({ kind, opId }) => `${kind} ${opId} is cancelled: the chain may have executed it`),
      `${tokens} tokens are read again from the chain`,
    ]
  })
}

async function catchUpSigners(
  { config, chains, log, by }: RestoreContext,
  { tenantId, cell: { name: cell, url } }: FoundCopy,
  { pendingSeconds, mayStayPending }: { pendingSeconds: number; mayStayPending: boolean },
): Promise<string[]> {
  const pool = createPool({ url, role: 'investor_token_worker', cell, max: 1, isOwner: true }, config, log)
  const databases = openOwnerDatabases(config, log)
  try {
    const lines: string[] = []
    for (const signer of (await selectSigners(pool)).filter((one) => one.tenantId === tenantId)) {
      const chain = chains.get(signer.chain)
      if (!chain) throw new MoveRejected(`The tenant has a signer on ${signer.chain}: add this chain to CHAINS.`)
      const found = await catchUpRestoredSigner({ databases, cell, chain, by }, signer, pendingSeconds * 1_000)
      lines.push(...found.lines)
      if (found.pending > 0 && !mayStayPending)
        throw new MoveRejected(
          `${found.lines.join('\n')}\nWait until they are mined, then run this again; or add --accept-pending.`,
        )
    }
    return lines
  } finally {
    await databases.end()
    await pool.end()
  }
}

/** Enqueues the jobs that look for work themselves. Jobs are not replicated, so those that waited are lost. */
async function enqueueAndRecord(
  { config, log, by }: RestoreContext,
  { tenantId, cell: { name: cell, client } }: FoundCopy,
  restoredTo: string,
): Promise<void> {
  const offeringIds = await selectOfferingIds(client, tenantId)
  const databases = openOwnerDatabases(config, log)
  try {
    await inCellTransaction(databases, { cell, tenantId }, async (tx) => {
      await recordRestore(tx, by, { tenantId, restoredTo, published: undefined })
      await enqueueJob(tx, matchStatements, { tenant_id: tenantId })
      for (const offeringId of offeringIds) await recheckOrdersOfOffering(tx, { tenantId, offeringId })
    })
  } finally {
    await databases.end()
  }
}
