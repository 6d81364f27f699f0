import type { Static } from 'typebox'
import type { TenantContext } from '../../../platform/api/declare/operation.ts'
import { found } from '../../../platform/api/errors/found.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { offeringErrors } from '../offering.errors.ts'
import { offeringChange } from './offering-change.ts'
import { recordSaleEnd, recordSaleStart } from './offering-events.ts'
import { OfferingPause, type OperatorOffering } from './operator-offering.schema.ts'
import { lockOffering, setLockedOfferingStatus } from './operator-offering.sql.ts'
import { viewOperatorOffering } from './operator-offering.view.ts'
import { requireOnSale } from './require-on-sale.ts'

/** Header members of the operations that pause and resume an offering. */
export const saleSwitch = {
  ...offeringChange,
  duty: 'offerings',
  body: OfferingPause,
  errors: [requestErrors.not_found, offeringErrors.offering_not_on_sale],
} as const

/** Pauses or resumes an offering that is on sale. Repeating it changes nothing. */
export async function switchSale(
  { tenantId, tx, audit }: Pick<TenantContext, 'tenantId' | 'tx' | 'audit'>,
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
