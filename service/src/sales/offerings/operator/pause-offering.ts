import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { saleSwitch, switchSale } from './switch-sale.ts'

export const pauseOffering = operatorOperation(
  {
    ...saleSwitch,
    id: 'pauseOffering',
    summary: 'Pause an offering',
    description:
      'Stops new orders until the offering is resumed; existing orders continue. Integrators see the offering as ' +
      '`CLOSED`. One person can pause, so that a wrong price or text is off sale at once. Pausing it again changes ' +
      'nothing.',
    path: '/offerings/:offeringId/pause',
    approval: 'never',
  },
  ({ params, body }, context) => switchSale(context, params.offeringId, { to: 'PAUSED', reason: body.reason }),
)
