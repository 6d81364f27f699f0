import { operatorOperation } from '../../platform/api/declare/operation.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { Money } from '../../platform/base/money.ts'
import { recordEvent } from '../../records/events/event.sql.ts'
import { distributionErrors } from '../distribution.errors.ts'
import { Distribution, DistributionPath } from '../distribution.schema.ts'
import { distributionFingerprint, findDistribution } from '../distribution.sql.ts'
import { viewDistribution } from '../distribution.view.ts'
import { setApproved } from '../distribution-step.sql.ts'
import { requireDistribution, requireLockedDistribution, requireStatus } from '../require-distribution.ts'
import { requireRegisterAgrees } from '../require-register-agrees.sql.ts'
import { distributionDecision } from './distribution-decision.ts'

export const approveDistribution = operatorOperation(
  {
    id: 'approveDistribution',
    summary: 'Approve a distribution',
    description:
      'Another person confirms what `GET /distributions/{distributionId}` shows. The confirmation is rejected if the ' +
      'distribution has changed since the proposal. Approving a redemption also approves that its units are burnt ' +
      'once they are paid.',
    tag: 'Distributions',
    method: 'POST',
    path: '/distributions/:distributionId/approve',
    duty: 'money',
    approval: 'always',
    decides: distributionDecision,
    idempotency: 'optional',
    params: DistributionPath,
    success: { status: 200, body: Distribution },
    errors: [
      requestErrors.not_found,
      distributionErrors.distribution_not_in_state,
      distributionErrors.register_differs,
    ],
  },
  async ({ params: { distributionId } }, { tenantId, tx, now, audit }) => {
    const key = { tenantId, distributionId }
    const { offeringId, kind, ...distribution } = await requireLockedDistribution(tx, key)
    requireStatus(distribution, ['CALCULATED'], 'Calculate it with POST /distributions/{id}/calculate.')
    await requireRegisterAgrees(tx, { tenantId, offeringId })
    await setApproved(tx, key, now)
    const view = viewDistribution(await requireDistribution(tx, key))
    await recordEvent(tx, tenantId, {
      type: 'distribution.announced',
      data: {
        distribution_id: distributionId,
        offering_id: offeringId,
        kind,
        record_at: view.record_at,
        pay_on: view.pay_on,
        amount: view.amount,
        rate_per_token: view.rate_per_token,
        currency: view.currency,
      },
    })
    audit({
      action: 'distribution.approved',
      subject: { type: 'distribution', id: distributionId },
      before: { status: 'CALCULATED' },
      after: { status: 'APPROVED', amount: view.amount, currency: view.currency, holders: view.holders },
    })
    return view
  },
  {
    policy: 'always',
    confirmDuty: 'release',
    subject: 'distribution',
    amount: async ({ params }, { tenantId, tx }) => {
      const found = await findDistribution(tx, { tenantId, ...params })
      return found && (found.total ?? Money.zero(found.currency))
    },
    fingerprint: distributionFingerprint,
  },
)
