import { inTenantTransaction } from '../../platform/db/tenant-transaction.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { Vault } from '../../platform/db/vault.ts'
import { job } from '../../platform/jobs/job.ts'
import { type EntryRow, holdMatching, lockWaitingEntries, type Outcome, updateEntries } from './entry.sql.ts'
import { matchEntry, touchedBy } from './match-entry.ts'
import { statementMatching } from './match-request.ts'
import { countMatched, findStatement, type StatementKey, type StatementRow } from './statement.sql.ts'
import { openDetails } from './statement.view.ts'

// Small enough that nobody waits long for an order of the batch, and that the lock is passed on within a second.
const batchSize = 100

/**
 * Books the entries of a statement, a batch in each transaction: what an entry did and that it did it commit together,
 * so that a worker that dies in between leaves no entry half booked and none is booked twice.
 */
export const matchStatement = job({
  ...statementMatching,
  run: async ({ tenant_id: tenantId, statement_id: statementId }, context) => {
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
    holdMatching(tx, tenantId),
    findStatement(tx, key),
    lockWaitingEntries(tx, key, batchSize),
  ])
  if (!statement || entries.length === 0) return 0
  const outcomes = await matchAll({ tenantId, tx, vault, now, statement }, entries)
  const count = { booked: 0, unassigned: 0, refund_settled: 0, refund_failed: 0, other: 0, attention: 0 }
  for (const { state } of outcomes) count[state] += 1
  await Promise.all([updateEntries(tx, tenantId, outcomes), countMatched(tx, key, count)])
  return entries.length
}

interface MatchingContext {
  tenantId: string
  tx: Transaction
  vault: Vault
  now: Date
  statement: StatementRow
}

/**
 * All at once, so that what they ask the database travels together; but those that may pay the same order or move the
 * same refund one after the other, since the second has to see what the first did.
 */
async function matchAll(context: MatchingContext, entries: readonly EntryRow[]): Promise<(Outcome & { id: string })[]> {
  const details = await Promise.all(entries.map((entry) => openDetails(context.vault, entry)))
  const lastAt = new Map<string, Promise<unknown>>()
  const matching = entries.map((entry, place) => {
    const own = details[place]
    if (!own) throw new Error('an entry has no details')
    const names = touchedBy(own)
    const matched = Promise.all(names.flatMap((name) => lastAt.get(name) ?? [])).then(() =>
      matchEntry(context, entry, own),
    )
    for (const name of names) lastAt.set(name, matched)
    return matched.then((outcome) => ({ ...outcome, id: entry.id }))
  })
  // Nobody may still be asking when the transaction ends, also when it ends because one of them failed.
  await Promise.allSettled(matching)
  return Promise.all(matching)
}
