import { payoutErrors } from '../../money/payouts/payout.errors.ts'
import { requireNoStop } from '../../money/payouts/require-no-stop.ts'
import { operatorOperation } from '../../platform/api/declare/operation.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { enqueueJob } from '../../platform/jobs/enqueue.sql.ts'
import { distributionErrors } from '../distribution.errors.ts'
import { Distribution, DistributionPath } from '../distribution.schema.ts'
import { viewDistribution } from '../distribution.view.ts'
import { setPaying } from '../distribution-step.sql.ts'
import { requireDistribution, requireLockedDistribution, requireStatus } from '../require-distribution.ts'
import { requireRegisterAgrees } from '../require-register-agrees.sql.ts'
import { filesQueue } from '../write-distribution-files.job.ts'
import { distributionDecision } from './distribution-decision.ts'

export const payDistribution = operatorOperation(
  {
    id: 'payDistribution',
    summary: 'Pay a distribution',
    description:
      'A worker writes the files for the bank: each entitlement that is due and in no open file, to the bank account ' +
      'that the investor has now, up to 1,000 in a file. Download them with `POST ' +
      '/distribution-files/{fileId}/download`. Entitlements whose account must be approved first stay due, and ' +
      '`left_out` says why. Pay it again to write files for what has become due since.',
    tag: 'Distributions',
    method: 'POST',
    path: '/distributions/:distributionId/pay',
    duty: 'money',
    approval: 'never',
    decides: distributionDecision,
    idempotency: 'optional',
    params: DistributionPath,
    success: { status: 200, body: Distribution },
    errors: [
      requestErrors.not_found,
      distributionErrors.distribution_not_in_state,
      distributionErrors.register_differs,
      payoutErrors.payouts_stopped,
    ],
  },
  async ({ params: { distributionId } }, { tenantId, tx, now, audit }) => {
    const key = { tenantId, distributionId }
    const distribution = await requireLockedDistribution(tx, key)
    const { status, sourceAccount, currency, offeringId } = distribution
    requireStatus(distribution, ['APPROVED', 'PAYING', 'CLOSED'], 'A second person must approve it first.')
    await requireNoStop(tx, tenantId, async () => [{ collectionAccount: sourceAccount, currency }])
    await requireRegisterAgrees(tx, { tenantId, offeringId })
    await setPaying(tx, key, now)
    await enqueueJob(tx, filesQueue, { tenant_id: tenantId, distribution_id: distributionId })
    audit({
      action: 'distribution.paying',
      subject: { type: 'distribution', id: distributionId },
      before: { status },
      after: { status: 'PAYING' },
    })
    return viewDistribution(await requireDistribution(tx, key))
  },
)
