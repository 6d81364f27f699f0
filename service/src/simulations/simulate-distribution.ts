import type { Static } from 'typebox'
import { calculateBatch } from '../distributions/calculate-distribution.job.ts'
import { distributionErrors } from '../distributions/distribution.errors.ts'
import type { Distribution, DistributionPreview } from '../distributions/distribution.schema.ts'
import type { DistributionKey } from '../distributions/distribution.sql.ts'
import { approveDistribution } from '../distributions/operator/approve-distribution.ts'
import { createDistribution } from '../distributions/operator/create-distribution.ts'
import { downloadDistributionFile } from '../distributions/operator/download-distribution-file.ts'
import { getDistribution } from '../distributions/operator/get-distribution.ts'
import { payDistribution } from '../distributions/operator/pay-distribution.ts'
import { requestCalculation } from '../distributions/operator/request-calculation.ts'
import { requireDistribution } from '../distributions/require-distribution.ts'
import { writeDistributionFile } from '../distributions/write-distribution-files.job.ts'
import { operation, type TenantContext } from '../platform/api/declare/operation.ts'
import { ApiError } from '../platform/api/errors/errors.ts'
import { requestErrors } from '../platform/api/errors/request.errors.ts'
import { applyBankResultToEntitlement } from '../sales/entitlements/apply-bank-result-to-entitlement.ts'
import { OfferingPath } from '../sales/offerings/offering.schema.ts'
import { findOffering, type OperatorOfferingRow } from '../sales/offerings/operator/operator-offering.sql.ts'
import { findFinalizedBlock } from '../tokens/register/holder.sql.ts'
import { perform } from './perform.ts'
import { simulationErrors } from './simulation.errors.ts'
import { viewSimulatedDistribution } from './simulation.view.ts'
import { simulationHeader } from './simulation-header.ts'
import { DistributionSimulation, SimulatedDistribution } from './simulation-of-holders.schema.ts'
import { selectDistributionFiles, selectSentEntitlements } from './simulation-of-holders.sql.ts'

/** With more holders, the request would take too long. */
const holdersMax = 1_000
/** ISO 20022: the account of the creditor is closed. */
const closedAccount = 'AC04'

export const simulateDistribution = operation(
  {
    id: 'simulateDistribution',
    summary: 'Pay a coupon, a dividend or a redemption',
    description:
      'Two operators draft, calculate and approve a distribution to all who have units in the last finalized block, ' +
      'and the bank pays it or returns it. Your tenant gets `distribution.announced`, and for each account ' +
      '`entitlement.paid` or `entitlement.failed`. At most 1,000 holders. Development only.',
    ...simulationHeader,
    path: '/simulations/offerings/:offeringId/distributions',
    idempotency: 'optional',
    params: OfferingPath,
    body: DistributionSimulation,
    success: { status: 201, body: SimulatedDistribution },
    errors: [
      requestErrors.not_found,
      distributionErrors.distribution_without_holders,
      distributionErrors.register_differs,
      simulationErrors.simulation_not_possible,
    ],
  },
  async ({ params: { offeringId }, body }, context) => {
    const { tenantId, tx } = context
    const offering = await findOffering(tx, { tenantId, offeringId })
    if (!offering) throw new ApiError(requestErrors.not_found, 'The offering does not exist.')
    const terms = { params: { offeringId }, body: await termsOf({ ...offering, offeringId }, body, context) }
    const { id: distributionId } = await perform<Static<typeof Distribution>>(createDistribution, terms, context)
    const step = { params: { distributionId } }
    await perform(requestCalculation, step, context)
    await calculateNow(context, { tenantId, distributionId })
    await perform(approveDistribution, step, context)
    if (body.result !== 'announced') {
      await perform(payDistribution, step, context)
      await payNow(context, { tenantId, distributionId }, body.result)
    }
    return viewSimulatedDistribution(await perform<Static<typeof DistributionPreview>>(getDistribution, step, context))
  },
)

async function termsOf(
  { offeringId, currency, collectionAccount }: OperatorOfferingRow & { offeringId: string },
  { kind = 'COUPON', rate_per_token = '1.00' }: Static<typeof DistributionSimulation>,
  { tenantId, tx, now }: TenantContext,
) {
  const finalized = await findFinalizedBlock(tx, { tenantId, offeringId })
  if (!finalized?.at)
    throw new ApiError(
      simulationErrors.simulation_not_possible,
      'The indexer has not read a finalized block of the chain of the offering yet. Retry in a few seconds.',
    )
  if (!collectionAccount)
    throw new ApiError(
      simulationErrors.simulation_not_possible,
      'The offering has no collection_account, which would pay. An operator must set it.',
    )
  const { account_holder, iban, bic } = collectionAccount
  return {
    kind,
    record_at: finalized.at.toISOString(),
    pay_on: now.toISOString().slice(0, 10),
    currency,
    rate_per_token,
    source_account: { account_holder, iban, bic },
  }
}

/** Does the worker's work immediately; the worker then finds nothing left to do. */
async function calculateNow({ tx, now }: TenantContext, key: DistributionKey): Promise<void> {
  let hasMore = true
  while (hasMore) {
    hasMore = await calculateBatch(tx, key, now)
    const { holderCount, failure } = await requireDistribution(tx, key)
    if (holderCount > holdersMax)
      throw new ApiError(
        simulationErrors.simulation_not_possible,
        `A simulation pays at most ${holdersMax} holders; the offering has more. Have operators pay it.`,
      )
    if (failure !== null) throw new ApiError(simulationErrors.simulation_not_possible, failure)
  }
}

/** Writes the files as the worker does, downloads them, and applies the bank's report about each transfer. */
async function payNow(context: TenantContext, key: DistributionKey, result: 'paid' | 'failed'): Promise<void> {
  const { tenantId, tx, vault, now } = context
  let hasMore = true
  while (hasMore) hasMore = await writeDistributionFile({ tx, vault, now }, key)
  for (const fileId of await selectDistributionFiles(tx, key))
    await perform(downloadDistributionFile, { params: { fileId } }, context)
  const reported =
    result === 'paid' ? ({ to: 'settled' } as const) : ({ to: 'failed', failure: closedAccount } as const)
  for (const { id: entitlementId, amount } of await selectSentEntitlements(tx, key)) {
    const bankResult = { ...reported, amount, isAfterRestore: false, now }
    const applied = await applyBankResultToEntitlement(tx, { tenantId, entitlementId }, bankResult)
    if (applied === 'no such entitlement' || applied.problem) throw new Error('a sent entitlement cannot be paid')
  }
}
