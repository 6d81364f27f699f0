import type { Address } from 'viem'
import { enqueueJob } from '../platform/jobs/enqueue.sql.ts'
import { type JobContext, job } from '../platform/jobs/job.ts'
import { inTenantTransaction } from '../platform/postgres/cells/tenant-transaction.ts'
import type { Transaction } from '../platform/postgres/transaction.ts'
import { burnQueue } from '../sales/entitlements/burn-queue.ts'
import { enqueueTokenAction, requireTokenAndSigner } from '../tokens/token-actions/enqueue-token-action.ts'
import { lockUnburntEntitlements, setBurnOp } from './burn.sql.ts'
import { type DistributionKey, lockDistribution } from './distribution.sql.ts'

/** Small, so that the signer's other chain ops wait only briefly. */
const batchSize = 50

/**
 * Enqueues the burns of a redemption, only for entitlements that the bank has debited. The chain op and its id in the
 * entitlement commit together, and the op's dedupe key is the entitlement, so that each is burnt once wherever a worker
 * is killed. The burns need no further confirmation: a second person approved the redemption.
 */
export const burnRedeemed = job({
  ...burnQueue,
  run: async (payload, context: Pick<JobContext, 'databases' | 'placement'>) => {
    const { tenant_id: tenantId, distribution_id: distributionId } = payload
    const burnt = await inTenantTransaction(context, { tenantId, access: 'write' }, (tx) =>
      enqueueBurns(tx, { tenantId, distributionId }),
    )
    if (burnt < batchSize) return
    await inTenantTransaction(context, { tenantId, access: 'write' }, (tx) => enqueueJob(tx, burnQueue, payload))
  },
})

async function enqueueBurns(tx: Transaction, key: DistributionKey): Promise<number> {
  const { tenantId } = key
  const distribution = await lockDistribution(tx, key)
  if (distribution?.kind !== 'REDEMPTION') return 0
  const unburnt = await lockUnburntEntitlements(tx, key, batchSize)
  if (unburnt.length === 0) return 0
  const token = await requireTokenAndSigner(tx, { tenantId, offeringId: distribution.offeringId })
  for (const { id, address, units } of unburnt) {
    const details = { wallet_address: address as Address, units }
    const burnOpId = await enqueueTokenAction(tx, token, { id, kind: 'BURN', details })
    await setBurnOp(tx, { tenantId, entitlementId: id }, burnOpId)
  }
  return unburnt.length
}
