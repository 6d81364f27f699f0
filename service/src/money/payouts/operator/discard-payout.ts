import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { found } from '../../../platform/api/errors/found.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { payoutErrors } from '../payout.errors.ts'
import { Payout, PayoutPath } from '../payout.schema.ts'
import { findPayout, lockPayout, setPayoutDiscarded } from '../payout.sql.ts'
import { viewPayout } from '../payout.view.ts'
import { payoutDecision } from './payout-decision.ts'

export const discardPayout = operatorOperation(
  {
    id: 'discardPayout',
    summary: 'Discard a payout',
    description:
      'Possible until its file is downloaded. Its refunds become available for another payout. Discarding it again ' +
      'changes nothing.',
    tag: 'Payments and refunds',
    method: 'POST',
    path: '/payouts/:payoutId/discard',
    duty: 'money',
    approval: 'never',
    decides: payoutDecision,
    idempotency: 'optional',
    params: PayoutPath,
    success: { status: 200, body: Payout },
    errors: [requestErrors.not_found, payoutErrors.payout_not_in_state],
  },
  async ({ params: { payoutId } }, { tenantId, tx, now, audit }) => {
    const key = { tenantId, payoutId }
    const payout = found(await lockPayout(tx, key), 'The payout does not exist.')
    if (payout.status === 'downloaded')
      throw new ApiError(
        payoutErrors.payout_not_in_state,
        'The payout cannot be discarded: its file was downloaded, so the bank may have it.',
      )
    if (payout.status === 'discarded') audit('nothing changed')
    else {
      await setPayoutDiscarded(tx, key, now)
      const change = { before: { status: payout.status }, after: { status: 'discarded' } }
      audit({ action: 'payout.discarded', subject: { type: 'payout', id: payoutId }, ...change })
    }
    const discarded = await findPayout(tx, key)
    if (!discarded) throw new Error('a locked payout was not found')
    return viewPayout(discarded)
  },
)
