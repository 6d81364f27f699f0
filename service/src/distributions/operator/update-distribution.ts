import { operatorOperation } from '../../platform/api/declare/operation.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { recordEvent } from '../../records/events/event.sql.ts'
import { distributionErrors } from '../distribution.errors.ts'
import { Distribution, DistributionChange, DistributionPath } from '../distribution.schema.ts'
import { updateTerms } from '../distribution.sql.ts'
import { viewDistribution } from '../distribution.view.ts'
import { parseTerms } from '../parse-terms.ts'
import { requireChangeable, requireDistribution, requireLockedDistribution } from '../require-distribution.ts'
import { auditedTerms } from './create-distribution.ts'

export const updateDistribution = operatorOperation(
  {
    id: 'updateDistribution',
    summary: 'Change the terms of a distribution',
    description:
      'Possible until it is paid. Whatever was calculated and approved for the old terms is void: the distribution ' +
      'is a `DRAFT` again, and a proposal to approve it can no longer be confirmed. Giving `rate_per_token` removes ' +
      '`total_amount`, and the other way round.',
    tag: 'Distributions',
    method: 'PATCH',
    path: '/distributions/:distributionId',
    duty: 'money',
    approval: 'never',
    idempotency: 'optional',
    params: DistributionPath,
    body: DistributionChange,
    success: { status: 200, body: Distribution },
    errors: [requestErrors.not_found, distributionErrors.distribution_not_in_state],
  },
  async ({ params, body }, { tenantId, tx, audit }) => {
    const key = { tenantId, ...params }
    const before = await requireLockedDistribution(tx, key)
    await requireChangeable(tx, key, before)
    const { rate_per_token, total_amount, ...others } = viewDistribution(before)
    const amount =
      body.rate_per_token === undefined && body.total_amount === undefined
        ? { ...(rate_per_token !== null && { rate_per_token }), ...(total_amount !== null && { total_amount }) }
        : {}
    const { kind, record_at, pay_on, currency, source_account, withholding } = others
    const terms = parseTerms({
      kind,
      record_at,
      pay_on,
      currency,
      source_account,
      withholding,
      ...amount,
      ...body,
    })
    await updateTerms(tx, key, terms)
    if (before.status === 'APPROVED')
      await recordEvent(tx, tenantId, {
        type: 'distribution.withdrawn',
        data: { distribution_id: before.id, offering_id: before.offeringId },
      })
    const view = viewDistribution(await requireDistribution(tx, key))
    audit({
      action: 'distribution.changed',
      subject: { type: 'distribution', id: before.id },
      before: { ...auditedTerms(viewDistribution(before)), status: before.status },
      after: { ...auditedTerms(view), status: view.status },
    })
    return view
  },
)
