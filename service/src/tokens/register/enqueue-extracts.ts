import { Type } from 'typebox'
import { enqueueJob } from '../../platform/jobs/enqueue.sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { LogOwner, TokenLog } from '../logs/token-log.sql.ts'
import { selectExtractedOfferings } from './position.sql.ts'

export const extractQueue = {
  name: 'extract-changes',
  payload: Type.Object({ tenant_id: Type.String(), offering_id: Type.String() }),
  keyOf: ({ offering_id: offeringId }: { offering_id: string }) => offeringId,
} as const

/** Enqueues extracts for holders whose positions these applied logs change, if their offering provides them. */
export async function enqueueExtracts(
  tx: Transaction,
  { tenantId }: LogOwner,
  logs: readonly TokenLog[],
): Promise<void> {
  const offeringIds = [...new Set(logs.map(({ offeringId }) => offeringId))]
  if (offeringIds.length === 0) return
  for (const offeringId of await selectExtractedOfferings(tx, tenantId, offeringIds))
    await enqueueJob(tx, extractQueue, { tenant_id: tenantId, offering_id: offeringId })
}
