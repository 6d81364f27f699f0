import { enqueueJob } from '../../platform/jobs/enqueue.sql.ts'
import { type JobContext, job } from '../../platform/jobs/job.ts'
import { inTenantTransaction } from '../../platform/postgres/cells/tenant-transaction.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { appendAudit } from '../../records/audit/append-audit.sql.ts'
import { findErasure } from '../../sales/documents/document.sql.ts'
import type { OfferingKey } from '../../sales/offerings/offering.sql.ts'
import { extractQueue } from '../../tokens/register/enqueue-extracts.ts'
import { type ChangedPosition, selectChangedPositions } from '../../tokens/register/position.sql.ts'
import { makeExtract } from './make-extract.ts'
import { findExtractedOffering, setExtractedTo } from './register-extract.sql.ts'
import type { ExtractFormat } from './render-extract.ts'

/** A transaction with this many extracts takes about a second. */
const batchMax = 50
const retryMs = 2_000

type ExtractContext = Pick<JobContext, 'databases' | 'placement' | 'vaults' | 'clock'>

/**
 * Makes an extract for each account whose position in the register changed in a finalized block. An index allows one
 * for each account and block, so a job that runs twice makes no second one.
 */
export const extractChanges = job({
  ...extractQueue,
  run: async ({ tenant_id: tenantId, offering_id: offeringId }, context: ExtractContext) => {
    let hasMore = true
    while (hasMore)
      hasMore = await inTenantTransaction(context, { tenantId, access: 'write' }, (tx) =>
        extractBatch(context, tx, { tenantId, offeringId }),
      )
  },
})

async function extractBatch(context: ExtractContext, tx: Transaction, key: OfferingKey): Promise<boolean> {
  const offering = await findExtractedOffering(tx, key)
  if (!offering?.format) return false
  const { format, extractedTo: after, finalized: to, hasLater } = offering
  const positions = await selectChangedPositions(tx, key, { after, to, limit: batchMax })
  for (const position of positions) await extractPosition(context, tx, key, { position, format })
  if (positions.length === batchMax) return true
  await setExtractedTo(tx, key, to)
  // The indexer applies the logs of a block before it moves its cursor, and a block may be applied in parts.
  if (hasLater)
    await enqueueJob(
      tx,
      extractQueue,
      { tenant_id: key.tenantId, offering_id: key.offeringId },
      new Date(context.clock().getTime() + retryMs),
    )
  return false
}

async function extractPosition(
  { vaults, clock }: ExtractContext,
  tx: Transaction,
  key: OfferingKey,
  { position, format }: { position: ChangedPosition; format: ExtractFormat },
): Promise<void> {
  const { accountId, block } = position
  // Waits for a running erasure, and lets a later one find this extract.
  const account = await findErasure(tx, { tenantId: key.tenantId, accountId })
  if (!account || account.erasedAt) return
  const vault = vaults.of(tx, key.tenantId)
  const wanted = { accountId, block: BigInt(block), at: null, format, cause: 'change', now: clock() } as const
  const made = await makeExtract({ tx, vault }, key, wanted)
  if (made) await appendAudit(tx, { type: 'system', id: null, requestId: null }, made.entry)
}
