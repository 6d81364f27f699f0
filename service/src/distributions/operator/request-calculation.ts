import { operatorOperation } from '../../platform/api/declare/operation.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { enqueueJob } from '../../platform/jobs/enqueue.sql.ts'
import { holderErrors } from '../../tokens/register/holder.errors.ts'
import { findSupplyAt } from '../../tokens/register/holder.sql.ts'
import { resolveBlock } from '../../tokens/register/resolve-block.ts'
import { calculateQueue, distributedAmount } from '../calculate-distribution.job.ts'
import { distributionErrors } from '../distribution.errors.ts'
import { Distribution, DistributionPath } from '../distribution.schema.ts'
import { viewDistribution } from '../distribution.view.ts'
import { setCalculating } from '../distribution-step.sql.ts'
import { totalOf } from '../entitlement-of.ts'
import { requireDistribution, requireLockedDistribution, requireStatus } from '../require-distribution.ts'
import { requireRegisterAgrees } from '../require-register-agrees.sql.ts'
import { distributionDecision } from './distribution-decision.ts'

export const requestCalculation = operatorOperation(
  {
    id: 'requestCalculation',
    summary: 'Calculate a distribution',
    description:
      'A worker calculates the entitlement of each address that had units after the last finalized block at or ' +
      'before the record time, exactly and rounded down to the minor unit. Rejected until a block after the record ' +
      'time is finalized. A distribution that is calculated already is calculated again.',
    tag: 'Distributions',
    method: 'POST',
    path: '/distributions/:distributionId/calculate',
    duty: 'money',
    approval: 'never',
    decides: distributionDecision,
    idempotency: 'optional',
    params: DistributionPath,
    success: { status: 200, body: Distribution },
    errors: [
      requestErrors.not_found,
      holderErrors.block_not_finalized,
      distributionErrors.distribution_not_in_state,
      distributionErrors.distribution_without_holders,
      distributionErrors.register_differs,
    ],
  },
  async ({ params }, { tenantId, tx, audit }) => {
    const key = { tenantId, ...params }
    const distribution = await requireLockedDistribution(tx, key)
    requireStatus(distribution, ['DRAFT', 'CALCULATED'], 'Change its terms to make it a draft again.')
    const { offeringId, recordAt, status } = distribution
    const offering = { tenantId, offeringId }
    await requireRegisterAgrees(tx, offering)
    const names = { block: 'record_block', at: 'record_at' }
    const { block } = await resolveBlock(tx, offering, { at: recordAt.toISOString() }, names)
    if (block === null) throw new Error('a time has no block')
    const supply = await findSupplyAt(tx, offering, block)
    if (supply <= 0n)
      throw new ApiError(
        distributionErrors.distribution_without_holders,
        `No address had units at ${recordAt.toISOString()}. Correct record_at with PATCH /distributions/{id}.`,
      )
    const totalMinor = totalOf(supply, distributedAmount(distribution, supply))
    await setCalculating(tx, key, { recordBlock: block, supply, totalMinor })
    await enqueueJob(tx, calculateQueue, { tenant_id: tenantId, distribution_id: params.distributionId })
    audit({
      action: 'distribution.calculation_requested',
      subject: { type: 'distribution', id: params.distributionId },
      before: { status },
      after: { status: 'CALCULATING', record_block: String(block), supply: String(supply) },
    })
    return viewDistribution(await requireDistribution(tx, key))
  },
)
