import { Type } from 'typebox'
import { enqueueJob } from '../../platform/jobs/enqueue.sql.ts'
import { type JobContext, job } from '../../platform/jobs/job.ts'
import { inTenantTransaction } from '../../platform/postgres/cells/tenant-transaction.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { Vault } from '../../platform/postgres/vault.ts'
import { recordEvents } from '../../records/events/event.sql.ts'
import {
  lockPendingEntries,
  type MatchResult,
  type PendingEntry,
  tryLockStatementMatching,
  updateMatchedEntries,
} from './entry.sql.ts'
import { affectedBy, type MatchContext, matchEntry, takesBack } from './match-entry.ts'
import { addToCounts, findPendingStatement, type StatementRow } from './statement.sql.ts'
import { openDetails } from './statement.view.ts'

// Small enough that other requests wait less than a second for the batch's orders.
const batchSize = 100
/** After this time the job goes to the end of the queue, so that the statements of many tenants advance in turn. */
const sliceMs = 2_000
const busyDelayMs = 500

const matchingQueue = {
  name: 'match-statements',
  payload: Type.Object({ tenant_id: Type.String() }),
  keyOf: () => 'all',
} as const

type MatchJobContext = Pick<JobContext, 'databases' | 'placement' | 'vaults' | 'clock' | 'log'>

/**
 * Matches the pending entries of a tenant's statements with orders and refunds, one batch per transaction. The entries
 * and their effects commit together, so a killed worker leaves no entry half processed and no entry takes effect twice.
 * A tenant has one waiting job, however many statements it imports, and no job waits for another one in its slot.
 */
export const matchStatements = job({
  ...matchingQueue,
  run: async ({ tenant_id: tenantId }, context: MatchJobContext) => {
    const endsAt = performance.now() + sliceMs
    const failures = new Map<string, unknown>()
    const enqueueNext = (delayMs: number) =>
      inTenantTransaction(context, { tenantId, access: 'write' }, (tx) =>
        enqueueJob(tx, matchingQueue, { tenant_id: tenantId }, new Date(context.clock().getTime() + delayMs)),
      )
    for (;;) {
      const outcome = await matchNextBatch(context, tenantId, failures)
      if (outcome === 'busy') return enqueueNext(busyDelayMs)
      if (outcome === 'nothing pending') break
      if (performance.now() >= endsAt) return enqueueNext(0)
    }
    // The queue retries the job later; the other statements are done.
    for (const failure of failures.values()) throw failure
  },
})

/** A statement that fails is recorded in `failures`, so that the tenant's other statements do not wait for it. */
async function matchNextBatch(
  context: MatchJobContext,
  tenantId: string,
  failures: Map<string, unknown>,
): Promise<'matched' | 'busy' | 'nothing pending'> {
  let statement: StatementRow | undefined
  try {
    return await inTenantTransaction(context, { tenantId, access: 'write' }, async (tx) => {
      // One round trip. The statements run in this order, so the query sees what the previous lock owner committed.
      const [isLocked, pending] = await tx.batch(
        (tx) => tryLockStatementMatching(tx, tenantId),
        (tx) => findPendingStatement(tx, tenantId, [...failures.keys()]),
      )
      if (!isLocked) return 'busy'
      if (!pending) return 'nothing pending'
      statement = pending
      await matchBatch(tx, context.vaults.of(tx, tenantId), { tenantId, statement, now: context.clock() })
      return 'matched'
    })
  } catch (error) {
    if (!statement) throw error
    context.log.warn({ tenant_id: tenantId, statement_id: statement.id, err: error }, 'a statement was not matched')
    failures.set(statement.id, error)
    return 'matched'
  }
}

async function matchBatch(
  tx: Transaction,
  vault: Vault,
  { tenantId, statement, now }: { tenantId: string; statement: StatementRow; now: Date },
): Promise<void> {
  const key = { tenantId, statementId: statement.id }
  const entries = await lockPendingEntries(tx, { ...key, currency: statement.currency }, batchSize)
  if (entries.length === 0) throw new Error('the counts of a statement do not match its entries')
  const results = await matchEntries({ tenantId, tx, vault, now, statement }, entries)
  const added = {
    booked: 0,
    unassigned: 0,
    refund_settled: 0,
    refund_failed: 0,
    payment_reversed: 0,
    other: 0,
    needs_attention: 0,
  }
  for (const { state } of results) added[state] += 1
  const forAttention = results
    .filter(({ state }) => state === 'needs_attention')
    .map(({ id }) => ({ type: 'entry.attention' as const, data: { entry_id: id, statement_id: statement.id } }))
  await tx.batch(
    (tx) => updateMatchedEntries(tx, tenantId, results),
    (tx) => addToCounts(tx, key, added),
    (tx) => recordEvents(tx, tenantId, forAttention),
  )
}

/**
 * Matches entries concurrently, so that their queries share round trips. Entries that may affect the same order or
 * refund are matched one after the other, since the second must see the effect of the first. A reversal is matched
 * alone: which order it affects is known only when its credit is found, which may be in the same batch.
 */
async function matchEntries(
  context: MatchContext,
  entries: readonly PendingEntry[],
): Promise<(MatchResult & { id: string })[]> {
  const details = await Promise.all(entries.map((entry) => openDetails(context.vault, entry)))
  const lastByReference = new Map<string, Promise<unknown>>()
  const earlier: Promise<unknown>[] = []
  let lastReversal: Promise<unknown> = Promise.resolve()
  const matching = entries.map((entry, index) => {
    const ownDetails = details[index]
    if (!ownDetails) throw new Error('an entry has no details')
    const references = affectedBy(ownDetails)
    const isReversal = takesBack(entry, ownDetails)
    const waitFor = isReversal
      ? [...earlier]
      : [lastReversal, ...references.flatMap((reference) => lastByReference.get(reference) ?? [])]
    const matched = Promise.all(waitFor).then(() => matchEntry(context, entry, ownDetails))
    for (const reference of references) lastByReference.set(reference, matched)
    earlier.push(matched)
    if (isReversal) lastReversal = matched
    return matched.then((result) => ({ ...result, id: entry.id }))
  })
  // If one fails, the others must finish their queries before the transaction ends.
  await Promise.allSettled(matching)
  return Promise.all(matching)
}
