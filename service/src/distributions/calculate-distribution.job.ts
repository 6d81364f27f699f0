import { Type } from 'typebox'
import { newRowId } from '../platform/base/ids.ts'
import { enqueueJob } from '../platform/jobs/enqueue.sql.ts'
import { type JobContext, job } from '../platform/jobs/job.ts'
import { inTenantTransaction } from '../platform/postgres/cells/tenant-transaction.ts'
import type { Transaction } from '../platform/postgres/transaction.ts'
import { type RegisteredHolder, selectRegisterAfter } from '../tokens/register/holder.sql.ts'
import { type DistributionKey, type DistributionRow, lockDistribution } from './distribution.sql.ts'
import { deleteEntitlements, insertEntitlements, type NewEntitlement } from './distribution-entitlement.sql.ts'
import { addCalculated, setCalculated, setCalculationFailed } from './distribution-step.sql.ts'
import { type DistributedAmount, entitlementOf } from './entitlement-of.ts'
import { multiply, parseRational, rational } from './rational.ts'

/** Bounds the memory for any number of holders: a batch takes a few hundred kilobytes. */
const batchHolders = 2_000
const deletedMax = 10_000
/** After this time the job goes to the end of the queue, so that the tenant's other jobs get their turn. */
const sliceMs = 2_000

export const calculateQueue = {
  name: 'calculate-distribution',
  payload: Type.Object({ tenant_id: Type.String(), distribution_id: Type.String() }),
  keyOf: ({ distribution_id: distributionId }: { distribution_id: string }) => distributionId,
} as const

/**
 * Calculates the entitlements of a distribution from the register at its record block, a batch per transaction. Batch
 * and cursor commit together, so a killed worker neither loses nor repeats a holder. The block is finalized, so the
 * register after it cannot change meanwhile, even in a reorg.
 */
export const calculateDistribution = job({
  ...calculateQueue,
  run: async (payload, context: Pick<JobContext, 'databases' | 'placement' | 'clock'>) => {
    const { tenant_id: tenantId, distribution_id: distributionId } = payload
    const endsAt = performance.now() + sliceMs
    for (;;) {
      const hasMore = await inTenantTransaction(context, { tenantId, access: 'write' }, (tx) =>
        calculateBatch(tx, { tenantId, distributionId }, context.clock()),
      )
      if (!hasMore) return
      if (performance.now() < endsAt) continue
      return inTenantTransaction(context, { tenantId, access: 'write' }, (tx) =>
        enqueueJob(tx, calculateQueue, payload),
      )
    }
  },
})

/** Returns false if nothing is left to calculate, or an operator has changed the distribution since. */
export async function calculateBatch(tx: Transaction, key: DistributionKey, now: Date): Promise<boolean> {
  const distribution = await lockDistribution(tx, key)
  if (distribution?.status !== 'CALCULATING') return false
  const { offeringId, cursor, recordBlock, supply } = distribution
  if (recordBlock === null || supply === null) throw new Error('a calculation has no record block')
  if (cursor === null && (await deleteEntitlements(tx, key, deletedMax)) > 0) return true
  const page = { after: cursor ?? '', limit: batchHolders }
  const offering = { tenantId: key.tenantId, offeringId }
  const addresses = await selectRegisterAfter(tx, offering, BigInt(recordBlock), page)
  const last = addresses.at(-1)
  if (!last) {
    await endCalculation(tx, key, distribution, now)
    return false
  }
  const holders = addresses.filter(({ units }) => BigInt(units) > 0n)
  const entitlements = entitlementsOf(distribution, holders)
  await insertEntitlements(tx, key, entitlements, now)
  const apart = entitlements.filter(({ status }) => status === 'set_apart')
  await addCalculated(tx, key, {
    cursor: last.address,
    units: sum(entitlements.map(({ units }) => BigInt(units))),
    grossMinor: sum(entitlements.map(({ grossMinor }) => grossMinor)),
    withheldMinor: sum(entitlements.map(({ withheldMinor }) => withheldMinor)),
    apartMinor: sum(apart.map(({ netMinor }) => netMinor)),
    holders: entitlements.length,
    apart: apart.length,
  })
  return true
}

/** Fails the calculation unless the entitled units add up to the supply: otherwise the token's log is incomplete. */
async function endCalculation(
  tx: Transaction,
  key: DistributionKey,
  { unitsSum, supply }: DistributionRow,
  now: Date,
): Promise<void> {
  if (unitsSum === supply) return setCalculated(tx, key, now)
  await setCalculationFailed(
    tx,
    key,
    `The holders have ${unitsSum} units, but the token has ${supply}. Reconcile the token, then calculate again.`,
  )
}

export function distributedAmount(
  { ratePerToken, totalAmount, currency, decimals }: DistributionRow,
  supply: bigint,
): DistributedAmount {
  if (ratePerToken !== null) return { kind: 'per token', rate: parseRational(ratePerToken), decimals, currency }
  if (totalAmount === null) throw new Error('a distribution has neither a rate nor a total')
  return { kind: 'in all', totalMinor: totalAmount.minor, supply }
}

function entitlementsOf(distribution: DistributionRow, holders: readonly RegisteredHolder[]): NewEntitlement[] {
  const amount = distributedAmount(distribution, BigInt(distribution.supply ?? 0))
  return holders.map(({ address, units, accountId, country }) => {
    // An address without an account has no known country, so no tax is withheld yet.
    const knownCountry = accountId !== null && /^[A-Z]{2}$/.test(country ?? '') ? country : null
    const percent = (knownCountry !== null && distribution.withholding[knownCountry]) || '0'
    const withholding = multiply(parseRational(percent), rational(1n, 100n))
    const amounts = entitlementOf(BigInt(units), amount, withholding)
    const payable = amounts.netMinor === 0n ? 'nothing' : 'due'
    const status = accountId === null ? 'set_apart' : payable
    return {
      id: newRowId(),
      address,
      units,
      accountId,
      country: knownCountry,
      withholdingPercent: percent,
      status,
      ...amounts,
    }
  })
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, one) => total + one, 0n)
}
