import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { found } from '../../../platform/api/errors/found.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { offeringErrors } from '../offering.errors.ts'
import { offeringChange } from './offering-change.ts'
import { recordSaleEnd } from './offering-events.ts'
import { closeLockedOffering, lockOffering } from './operator-offering.sql.ts'
import { viewOperatorOffering } from './operator-offering.view.ts'

export const closeOffering = operatorOperation(
  {
    ...offeringChange,
    id: 'closeOffering',
    summary: 'Close an offering',
    description:
      'Stops new orders; existing orders continue. A closed offering cannot be opened again: to stop for a while, ' +
      'pause it. Closing it again changes nothing.',
    path: '/offerings/:offeringId/close',
    duty: 'offerings',
    approval: 'never',
    errors: [requestErrors.not_found, offeringErrors.offering_not_opened],
  },
  async ({ params }, { tenantId, tx, now, audit }) => {
    const key = { tenantId, ...params }
    const offering = found(await lockOffering(tx, key), 'There is no such offering.')
    if (offering.status === 'DRAFT')
      throw new ApiError(
        offeringErrors.offering_not_opened,
        'The offering is a draft. Only an open offering can be closed.',
      )
    if (offering.status === 'CLOSED') {
      audit('nothing changed')
      return viewOperatorOffering(offering)
    }
    await closeLockedOffering(tx, key, now)
    // Integrators see a paused offering as CLOSED already.
    if (offering.status === 'OPEN') await recordSaleEnd(tx, key)
    const [before, after] = [{ status: offering.status }, { status: 'CLOSED' }]
    audit({ action: 'offering.closed', subject: { type: 'offering', id: params.offeringId }, before, after })
    return viewOperatorOffering({ ...offering, status: 'CLOSED', closedAt: now })
  },
)
