import type { Static } from 'typebox'
import type { Transaction } from '../platform/postgres/transaction.ts'
import type { DistributionPreview } from './distribution.schema.ts'
import type { DistributionKey, DistributionRow } from './distribution.sql.ts'
import { viewDistribution, viewDistributionEntitlement } from './distribution.view.ts'
import {
  type ChangeSincePrevious,
  countBurns,
  findChangeSincePrevious,
  selectLargest,
  selectStatusSums,
} from './distribution-entitlement.sql.ts'

const largestMax = 10

/** Shows entitlements only once the distribution is calculated: until then, those in the database are void. */
export async function previewDistribution(
  tx: Transaction,
  key: DistributionKey,
  distribution: DistributionRow,
): Promise<Static<typeof DistributionPreview>> {
  const view = viewDistribution(distribution)
  if (distribution.calculatedAt === null)
    return { ...view, totals: [], largest: [], since_previous: null, burns: { waiting: 0, done: 0, failed: 0 } }
  const isRedemption = distribution.kind === 'REDEMPTION'
  const [sums, largest, change, burns] = await tx.batch(
    (tx) => selectStatusSums(tx, key, distribution.currency),
    (tx) => selectLargest(tx, key, largestMax),
    (tx) => findChangeSincePrevious(tx, key),
    (tx) => (isRedemption ? countBurns(tx, key) : { waiting: 0, done: 0, failed: 0 }),
  )
  return {
    ...view,
    totals: sums.map(({ status, count, net }) => ({ status, count, net_amount: net.toString() })),
    largest: largest.map(viewDistributionEntitlement),
    since_previous: change ? viewChange(change) : null,
    burns,
  }
}

function viewChange({ id, recordAt, holdersAdded, holdersRemoved, holdersChanged }: ChangeSincePrevious) {
  return {
    distribution_id: id,
    record_at: recordAt.toISOString(),
    holders_added: holdersAdded,
    holders_removed: holdersRemoved,
    holders_changed: holdersChanged,
  }
}
