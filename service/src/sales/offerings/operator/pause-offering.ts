import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { offeringErrors } from '../offering.errors.ts'
import { OfferingPath } from '../offering.schema.ts'
import { OfferingPause, OperatorOffering } from './operator-offering.schema.ts'
import { switchSale } from './switch-sale.ts'

export const pauseOffering = operatorOperation(
  {
    id: 'pauseOffering',
    summary: 'Pause an offering',
    description:
      'Stops new orders until the offering is resumed; existing orders continue. Integrators see the offering as ' +
      '`CLOSED`. One person can pause, so that a wrong price or text is off sale at once. Pausing it again changes ' +
      'nothing.',
    tag: 'Offerings',
    method: 'POST',
    path: '/offerings/:offeringId/pause',
    duty: 'offerings',
    offering: 'params.offeringId',
    approval: 'never',
    idempotency: 'optional',
    params: OfferingPath,
    body: OfferingPause,
    success: { status: 200, body: OperatorOffering },
    errors: [requestErrors.not_found, offeringErrors.offering_not_on_sale],
  },
  ({ params, body }, context) => switchSale(context, params.offeringId, { to: 'PAUSED', reason: body.reason }),
)
