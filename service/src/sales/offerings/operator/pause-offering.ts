import type { Static } from 'typebox'
import { type OperatorContext, operatorOperation } from '../../../platform/api/declare/operation.ts'
import { found } from '../../../platform/api/errors/found.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { offeringErrors } from '../offering.errors.ts'
import { offeringChange } from './offering-change.ts'
import { recordSaleEnd, recordSaleStart } from './offering-events.ts'
import { OfferingPause, type OperatorOffering } from './operator-offering.schema.ts'
import { lockOffering, saleTermsFingerprint, setLockedOfferingStatus } from './operator-offering.sql.ts'
import { viewOperatorOffering } from './operator-offering.view.ts'
import { requireOnSale } from './require-on-sale.ts'

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

/** Pauses or resumes an offering that is on sale. Repeating it changes nothing. */
async function switchSale(
  { tenantId, tx, audit }: Pick<OperatorContext, 'tenantId' | 'tx' | 'audit'>,
  offeringId: string,
  { to, reason }: { to: 'OPEN' | 'PAUSED'; reason: string },
): Promise<Static<typeof OperatorOffering>> {
  const key = { tenantId, offeringId }
  const offering = found(await lockOffering(tx, key), 'There is no such offering.')
  const verb = to === 'PAUSED' ? 'paused' : 'resumed'
  requireOnSale(offering.status, verb)
  if (offering.status === to) audit('nothing changed')
  else {
    await tx.batch(
      (tx) => setLockedOfferingStatus(tx, key, to),
      (tx) => (to === 'PAUSED' ? recordSaleEnd(tx, key) : recordSaleStart(tx, key, 'CLOSED')),
    )
    audit({
      action: `offering.${verb}`,
      subject: { type: 'offering', id: offeringId },
      before: { status: offering.status },
      after: { status: to, reason },
    })
  }
  return viewOperatorOffering({ ...offering, status: to })
}
