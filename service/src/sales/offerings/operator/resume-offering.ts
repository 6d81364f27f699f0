import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { found } from '../../../platform/api/errors/found.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { offeringErrors } from '../offering.errors.ts'
import { OfferingPath } from '../offering.schema.ts'
import { recordSaleStart } from './offering-events.ts'
import { OfferingPause, OperatorOffering } from './operator-offering.schema.ts'
import { lockOffering, saleTermsFingerprint, setLockedOfferingStatus } from './operator-offering.sql.ts'
import { viewOperatorOffering } from './operator-offering.view.ts'
import { requireOnSale } from './require-on-sale.ts'

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
  async ({ params, body }, { tenantId, tx, audit }) => {
    const key = { tenantId, ...params }
    const offering = found(await lockOffering(tx, key), 'There is no such offering.')
    requireOnSale(offering.status, 'resumed')
    if (offering.status === 'OPEN') {
      audit('nothing changed')
      return viewOperatorOffering(offering)
    }
    await tx.batch(
      (tx) => setLockedOfferingStatus(tx, key, 'OPEN'),
      (tx) => recordSaleStart(tx, key, 'CLOSED'),
    )
    audit({
      action: 'offering.resumed',
      subject: { type: 'offering', id: params.offeringId },
      before: { status: 'PAUSED' },
      after: { status: 'OPEN', reason: body.reason },
    })
    return viewOperatorOffering({ ...offering, status: 'OPEN' })
  },
  { policy: 'offering_opening', subject: 'offering', fingerprint: saleTermsFingerprint },
)
