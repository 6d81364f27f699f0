import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { found } from '../../../platform/api/errors/found.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { offeringErrors } from '../offering.errors.ts'
import { OfferingPath } from '../offering.schema.ts'
import { recordSaleEnd } from './offering-events.ts'
import { OfferingPause, OperatorOffering } from './operator-offering.schema.ts'
import { lockOffering, setLockedOfferingStatus } from './operator-offering.sql.ts'
import { viewOperatorOffering } from './operator-offering.view.ts'
import { requireOnSale } from './require-on-sale.ts'

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
  async ({ params, body }, { tenantId, tx, audit }) => {
    const key = { tenantId, ...params }
    const offering = found(await lockOffering(tx, key), 'There is no such offering.')
    requireOnSale(offering.status, 'paused')
    if (offering.status === 'PAUSED') {
      audit('nothing changed')
      return viewOperatorOffering(offering)
    }
    await tx.batch(
      (tx) => setLockedOfferingStatus(tx, key, 'PAUSED'),
      (tx) => recordSaleEnd(tx, key),
    )
    audit({
      action: 'offering.paused',
      subject: { type: 'offering', id: params.offeringId },
      before: { status: 'OPEN' },
      after: { status: 'PAUSED', reason: body.reason },
    })
    return viewOperatorOffering({ ...offering, status: 'PAUSED' })
  },
)
