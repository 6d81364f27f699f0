import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { offeringErrors } from '../offering.errors.ts'
import { offeringChange } from './offering-change.ts'
import { OfferingPause } from './operator-offering.schema.ts'
import { switchSale } from './switch-sale.ts'

export const pauseOffering = operatorOperation(
  {
    ...offeringChange,
    id: 'pauseOffering',
    summary: 'Pause an offering',
    description:
      'Stops new orders until the offering is resumed; existing orders continue. Integrators see the offering as ' +
      '`CLOSED`. One person can pause, so that a wrong price or text is off sale at once. Pausing it again changes ' +
      'nothing.',
    path: '/offerings/:offeringId/pause',
    duty: 'offerings',
    approval: 'never',
    body: OfferingPause,
    errors: [requestErrors.not_found, offeringErrors.offering_not_on_sale],
  },
  ({ params, body }, context) => switchSale(context, params.offeringId, { to: 'PAUSED', reason: body.reason }),
)
