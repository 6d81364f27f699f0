import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { offeringErrors } from '../offering.errors.ts'
import { offeringChange } from './offering-change.ts'
import { OfferingPause } from './operator-offering.schema.ts'
import { saleTermsFingerprint } from './operator-offering.sql.ts'
import { switchSale } from './switch-sale.ts'

export const resumeOffering = operatorOperation(
  {
    ...offeringChange,
    id: 'resumeOffering',
    summary: 'Resume a paused offering',
    description:
      'Integrators see the offering as `OPEN` again and can sell it. Needs a second person where opening does. ' +
      'Resuming an open offering changes nothing.',
    path: '/offerings/:offeringId/resume',
    duty: 'offerings',
    approval: 'policy',
    body: OfferingPause,
    errors: [requestErrors.not_found, offeringErrors.offering_not_on_sale],
  },
  ({ params, body }, context) => switchSale(context, params.offeringId, { to: 'OPEN', reason: body.reason }),
  { policy: 'offering_opening', subject: 'offering', fingerprint: saleTermsFingerprint },
)
