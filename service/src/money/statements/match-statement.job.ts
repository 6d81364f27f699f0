import { Type } from 'typebox'
import { inTenantTransaction } from '../../platform/db/tenant-transaction.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { Vault } from '../../platform/db/vault.ts'
import { type JobContext, job } from '../../platform/jobs/job.ts'
import {
  type EntryRow,
  lockPendingEntries,
  lockStatementMatching,
  type MatchResult,
  updateMatchedEntries,
} from './entry.sql.ts'
import { affectedBy, type MatchContext, matchEntry, takesBack } from './match-entry.ts'
import { addToCounts, findStatement, type StatementKey } from './statement.sql.ts'
import { openDetails } from './statement.view.ts'

// Small enough that other requests wait less than a second for the batch's orders and for the tenant's lock.
const batchSize = 100

/**
 * Matches the pending entries of a statement with orders and refunds, one batch per transaction. The entries and their
 * effects commit together, so a killed worker leaves no entry half processed and no entry takes effect twice.
 */
export const matchStatement = job({
  name: 'match-statement',
  payload: Type.Object({ tenant_id: Type.String(), statement_id: Type.String() }),
  run: async (
    { tenant_id: tenantId, statement_id: statementId },
    context: Pick<JobContext, 'databases' | 'placement' | 'vaults' | 'clock'>,
  ) => {
    let matched: number
    do
      matched = await inTenantTransaction(context, { tenantId, access: 'write' }, (tx) =>
        matchBatch(tx, context.vaults.of(tx, tenantId), { tenantId, statementId }, context.clock()),
      )
    while (matched === batchSize)
  },
})

async function matchBatch(tx: Transaction, vault: Vault, key: StatementKey, now: Date): Promise<number> {
  const { tenantId } = key
  const [, statement, entries] = await Promise.all([
    lockStatementMatching(tx, tenantId),
    findStatement(tx, key),
    lockPendingEntries(tx, key, batchSize),
  ])
  if (!statement || entries.length === 0) return 0
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
  await Promise.all([updateMatchedEntries(tx, tenantId, results), addToCounts(tx, key, added)])
  return entries.length
}

/**
 * Matches entries concurrently, so that their queries share round trips. Entries that may affect the same order or
 * refund are matched one after the other, since the second must see the effect of the first. A reversal is matched
 * alone: which order it affects is known only when its credit is found, which may be in the same batch.
 */
async function matchEntries(
  context: MatchContext,
  entries: readonly EntryRow[],
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
