import { operatorOperation } from '../../platform/api/declare/operation.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { recordEvent } from '../../records/events/event.sql.ts'
import { distributionErrors } from '../distribution.errors.ts'
import { Distribution, DistributionPath } from '../distribution.schema.ts'
import { viewDistribution } from '../distribution.view.ts'
import { setCancelled } from '../distribution-step.sql.ts'
import { requireChangeable, requireDistribution, requireLockedDistribution } from '../require-distribution.ts'
import { distributionDecision } from './distribution-decision.ts'

export const cancelDistribution = operatorOperation(
  {
    id: 'cancelDistribution',
    summary: 'Cancel a distribution',
    description: 'Possible until it is paid. Its entitlements are void. Cancelling it again changes nothing.',
    tag: 'Distributions',
    method: 'POST',
    path: '/distributions/:distributionId/cancel',
    duty: 'money',
    approval: 'never',
    decides: distributionDecision,
    idempotency: 'optional',
    params: DistributionPath,
    success: { status: 200, body: Distribution },
    errors: [requestErrors.not_found, distributionErrors.distribution_not_in_state],
  },
  async ({ params }, { tenantId, tx, audit }) => {
    const key = { tenantId, ...params }
    const distribution = await requireLockedDistribution(tx, key)
    const { status, offeringId } = distribution
    if (status === 'CANCELLED') {
      audit('nothing changed')
      return viewDistribution(distribution)
    }
    await requireChangeable(tx, key, distribution)
    await setCancelled(tx, key)
    if (status === 'APPROVED')
      await recordEvent(tx, tenantId, {
        type: 'distribution.withdrawn',
        data: { distribution_id: params.distributionId, offering_id: offeringId },
      })
    audit({
      action: 'distribution.cancelled',
      subject: { type: 'distribution', id: params.distributionId },
      before: { status },
      after: { status: 'CANCELLED' },
    })
    return viewDistribution(await requireDistribution(tx, key))
  },
)
