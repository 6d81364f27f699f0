import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { payoutErrors } from '../payout.errors.ts'
import { Payout, PayoutPath } from '../payout.schema.ts'
import { endPayout, findPayout, lockPayout } from '../payout.sql.ts'
import { viewPayout } from '../payout.view.ts'

export const discardPayout = operatorOperation(
  {
    id: 'discardPayout',
    summary: 'Discard a payout',
    description:
      'While nobody has its file. Its refunds are free for another payout. Discarding it again changes nothing.',
    tag: 'Payments and refunds',
    method: 'POST',
    path: '/payouts/:payoutId/discard',
    role: 'operator',
    idempotency: 'optional',
    params: PayoutPath,
    success: { status: 200, body: Payout },
    errors: [requestErrors.not_found, payoutErrors.payout_not_in_state],
  },
  async ({ params: { payoutId } }, { tenantId, tx, now, audit }) => {
    const key = { tenantId, payoutId }
    const payout = await lockPayout(tx, key)
    if (!payout) throw new ApiError(requestErrors.not_found, 'There is no such payout.')
    if (payout.status === 'downloaded')
      throw new ApiError(
        payoutErrors.payout_not_in_state,
        'The file was downloaded, so the bank may have it. It stays.',
      )
    if (payout.status === 'discarded') audit('nothing changed')
    else {
      await endPayout(tx, key, now)
      const change = { before: { status: 'open' }, after: { status: 'discarded' } }
      audit({ action: 'payout.discarded', subject: { type: 'payout', id: payoutId }, ...change })
    }
    const discarded = await findPayout(tx, key)
    if (!discarded) throw new Error('a payout that is held is gone')
    return viewPayout(discarded)
  },
)
