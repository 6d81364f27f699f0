import { operatorOperation } from '../../platform/api/declare/operation.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { newRowId } from '../../platform/base/ids.ts'
import { OfferingPath } from '../../sales/offerings/offering.schema.ts'
import { findOffering } from '../../sales/offerings/operator/operator-offering.sql.ts'
import { Distribution, NewDistribution } from '../distribution.schema.ts'
import { insertDistribution } from '../distribution.sql.ts'
import { viewDistribution } from '../distribution.view.ts'
import { parseTerms } from '../parse-terms.ts'
import { requireDistribution } from '../require-distribution.ts'

export const createDistribution = operatorOperation(
  {
    id: 'createDistribution',
    summary: 'Draft a distribution',
    description:
      'A coupon, dividend or redemption that is paid to all holders of the token at the record time. Calculate it, ' +
      'look at its preview, have it approved by a second person, then pay it.',
    tag: 'Distributions',
    method: 'POST',
    path: '/offerings/:offeringId/distributions',
    duty: 'money',
    approval: 'never',
    idempotency: 'optional',
    params: OfferingPath,
    body: NewDistribution,
    success: { status: 201, body: Distribution, location: ({ id }: { id: string }) => `/distributions/${id}` },
    errors: [requestErrors.not_found],
  },
  async ({ params: { offeringId }, body }, { tenantId, tx, now, audit }) => {
    const terms = parseTerms(body)
    const key = { tenantId, distributionId: newRowId() }
    if (!(await findOffering(tx, { tenantId, offeringId })))
      throw new ApiError(requestErrors.not_found, 'The offering does not exist.')
    await insertDistribution(tx, key, { ...terms, offeringId, now })
    const view = viewDistribution(await requireDistribution(tx, key))
    audit({
      action: 'distribution.created',
      subject: { type: 'distribution', id: key.distributionId },
      after: { ...auditedTerms(view), offering_id: offeringId },
    })
    return view
  },
)

/** Selects the terms for the audit log. The account is the tenant's, so it is no personal data. */
export function auditedTerms(view: ReturnType<typeof viewDistribution>) {
  const { kind, record_at, pay_on, currency, rate_per_token, total_amount, source_account, withholding } = view
  return {
    kind,
    record_at,
    pay_on,
    currency,
    rate_per_token,
    total_amount,
    source_iban: source_account.iban,
    withholding: withholding.map(({ country, percent }) => `${country} ${percent}`),
  }
}
