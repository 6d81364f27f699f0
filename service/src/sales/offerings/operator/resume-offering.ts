import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { saleTermsFingerprint } from './operator-offering.sql.ts'
import { saleSwitch, switchSale } from './switch-sale.ts'

export const resumeOffering = operatorOperation(
  {
    ...saleSwitch,
    id: 'resumeOffering',
    summary: 'Resume a paused offering',
    description:
      'Integrators see the offering as `OPEN` again and can sell it. Needs a second person where opening does. ' +
      'Resuming an open offering changes nothing.',
    path: '/offerings/:offeringId/resume',
    approval: 'policy',
  },
  ({ params, body }, context) => switchSale(context, params.offeringId, { to: 'OPEN', reason: body.reason }),
  { policy: 'offering_opening', subject: 'offering', fingerprint: saleTermsFingerprint },
)
