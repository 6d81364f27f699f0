/**
 * The part of a move during which writes of the tenant wait. In order:
 *
 * 1. The source refuses transactions of the tenant: residence `leaving`, under the lock that every write shares.
 * 2. Events in the outbox get their numbers; jobs and the progress of tokens are read.
 * 3. The target catches up with what the source has committed.
 * 4. The target accepts the tenant: residence `here` with the next epoch, jobs and progress, one transaction.
 * 5. The directory names the target and the next epoch. Requests that waited continue there.
 *
 * Before 4 a failure undoes 1, so the tenant stays. From 4 on the move only goes forward: no process can enter the
 * target before 5, because the directory still has the old epoch, but two cells must never both accept the tenant.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { inClientTransaction } from '../../platform/postgres/maintenance-client.ts'
import { isLockTimeout } from '../../platform/postgres/sql-errors.ts'
import { numberEventsOfTenant } from '../../records/events/number-events.sql.ts'
import {
  findLogEnd,
  insertJobs,
  selectJobs,
  selectTokenProgress,
  setHere,
  setLeaving,
  setStaying,
  upsertTokenProgress,
} from './arrival.sql.ts'
import { lockTenant } from './copies.sql.ts'
import { passMovePoint } from './move-points.ts'
import { MoveRejected } from './move-rejected.ts'
import { appendEntries, selectEntriesToAppend } from './moved-audit.sql.ts'
import { findResidence } from './prerequisites.sql.ts'
import { caughtUp, NotCaughtUp, type Stream } from './replication.sql.ts'
import { setMoveStep, switchDirectory, type TenantMove } from './tenant-move.sql.ts'

/** Returns the longest time that a write may have waited, in milliseconds. */
export async function switchCell(directory: pg.Client, move: TenantMove, stream: Stream): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    const isInterrupted = await hasArrived(move, stream)
    if (!isInterrupted) await caughtUp(stream, catchUpMsMax)
    await setMoveStep(directory, move.tenantId, 'switching')
    passMovePoint('switching')
    const startedAt = performance.now()
    try {
      const jobs = isInterrupted ? [] : await leaveAndArrive(move, stream)
      await switchDirectory(directory, move, { lsn: await findLogEnd(stream.to.client), jobs })
      return performance.now() - startedAt
    } catch (error) {
      const isUndone = await undoUnlessArrived(directory, move, stream).catch(() => false)
      if (!(isLockTimeout(error) || error instanceof NotCaughtUp)) throw error
      // The target has accepted the tenant, and only the directory was busy. Writes wait, so retry at once.
      if (!isUndone && attempt < attemptsMax) continue
      if (!isUndone) throw error
      if (attempt === attemptsMax)
        throw new MoveRejected(
          `Writes of the tenant would have waited too long, ${attemptsMax} times: a long upload is under way, or the ` +
            'target is too slow. The tenant stays where it is. Run the command again when less is going on.',
        )
      await sleep(retryMs)
    }
  }
}

/**
 * Undoes a switch that failed or was interrupted while writes waited, unless the target has accepted the tenant.
 * Returns true if it was undone.
 */
export async function undoUnlessArrived(directory: pg.Client, move: TenantMove, stream: Stream): Promise<boolean> {
  if (await hasArrived(move, stream)) return false
  await setStaying(stream.from.client, move.tenantId, move.epoch)
  await setMoveStep(directory, move.tenantId, 'copying')
  return true
}

/**
 * Returns true if an earlier run was interrupted between steps 4 and 5. Step 4 takes the lock, so a run that is still
 * committing counts.
 */
function hasArrived({ tenantId, epoch }: TenantMove, { to }: Stream): Promise<boolean> {
  return inClientTransaction(to.client, async () => {
    await lockTenant(to.client, tenantId)
    const residence = await findResidence(to.client, tenantId)
    return residence?.state === 'here' && residence.epoch === epoch + 1n
  })
}

/** Returns the ids of the jobs that are now in both cells. */
async function leaveAndArrive({ tenantId, epoch }: TenantMove, stream: Stream): Promise<string[]> {
  const { from, to } = stream
  const endsAt = performance.now() + pauseMsMax
  const { appended, jobs, tokens } = await leave()
  try {
    await caughtUp(stream, endsAt - performance.now())
  } catch (error) {
    await setStaying(from.client, tenantId, epoch)
    throw error
  }
  passMovePoint('left')
  await inClientTransaction(to.client, async () => {
    await lockTenant(to.client, tenantId)
    if (to.isDirectory) await appendEntries(to.client, tenantId, appended)
    await upsertTokenProgress(to.client, tokens)
    await insertJobs(to.client, jobs)
    await setHere(to.client, tenantId, epoch + 1n)
  })
  passMovePoint('arrived')
  return jobs.map(({ id }) => id)

  async function leave() {
    await inClientTransaction(from.client, async () => {
      await lockTenant(from.client, tenantId)
      await setLeaving(from.client, tenantId, epoch)
    })
    try {
      const moved = await inClientTransaction(from.client, async () => {
        await numberEventsOfTenant(from.client, tenantId)
        const waiting = await selectJobs(from.client, tenantId)
        return { jobs: waiting, tokens: await selectTokenProgress(from.client, tenantId) }
      })
      return { ...moved, appended: to.isDirectory ? await selectEntriesToAppend(from, to, tenantId) : [] }
    } catch (error) {
      await setStaying(from.client, tenantId, epoch)
      throw error
    }
  }
}

/** Requests retry for 5 s, so they do not notice a switch that succeeds or is undone in this time. */
const pauseMsMax = 3_000
const catchUpMsMax = 600_000
const attemptsMax = 5
const retryMs = 10_000
