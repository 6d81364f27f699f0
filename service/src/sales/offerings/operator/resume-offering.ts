import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { offeringErrors } from '../offering.errors.ts'
import { OfferingPath } from '../offering.schema.ts'
import { OfferingPause, OperatorOffering } from './operator-offering.schema.ts'
import { saleTermsFingerprint } from './operator-offering.sql.ts'
import { switchSale } from './switch-sale.ts'

export const resumeOffering = operatorOperation(
  {
    id: 'resumeOffering',
    summary: 'Resume a paused offering',
    description:
      'Integrators see the offering as `OPEN` again and can sell it. Needs a second person where opening does. ' +
      'Resuming an open offering changes nothing.',
    tag: 'Offerings',
    method: 'POST',
    path: '/offerings/:offeringId/resume',
    duty: 'offerings',
    offering: 'params.offeringId',
    approval: 'policy',
    idempotency: 'optional',
    params: OfferingPath,
    body: OfferingPause,
    success: { status: 200, body: OperatorOffering },
    errors: [requestErrors.not_found, offeringErrors.offering_not_on_sale],
  },
  ({ params, body }, context) => switchSale(context, params.offeringId, { to: 'OPEN', reason: body.reason }),
  { policy: 'offering_opening', subject: 'offering', fingerprint: saleTermsFingerprint },
)
