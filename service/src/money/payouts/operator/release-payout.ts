import { type OperatorContext, operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { found } from '../../../platform/api/errors/found.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { payoutErrors } from '../payout.errors.ts'
import { Payout, PayoutPath } from '../payout.schema.ts'
import { findPayout, lockPayout, payoutFingerprint, setPayoutReleased } from '../payout.sql.ts'
import { payoutSums, viewPayout } from '../payout.view.ts'
import { lockDueTransfers } from '../payout-transfer.sql.ts'
import { requireNoStop } from '../require-no-stop.ts'
import { payoutDecision } from './payout-decision.ts'

export const releasePayout = operatorOperation(
  {
    id: 'releasePayout',
    summary: 'Release a payout',
    description:
      'Allows the download of its file. Check its creditors first: `GET /payouts/{payoutId}/transfers`. A ' +
      'confirmation is rejected if the payout or one of its refunds has changed since the proposal. Releasing it ' +
      'again changes nothing.',
    tag: 'Payments and refunds',
    method: 'POST',
    path: '/payouts/:payoutId/release',
    duty: 'money',
    approval: 'policy',
    decides: payoutDecision,
    idempotency: 'optional',
    params: PayoutPath,
    success: { status: 200, body: Payout },
    errors: [requestErrors.not_found, payoutErrors.payout_not_in_state, payoutErrors.payouts_stopped],
  },
  async ({ params: { payoutId } }, { tenantId, tx, now, audit }) => {
    const key = { tenantId, payoutId }
    const payout = found(await lockPayout(tx, key), 'The payout does not exist.')
    if (payout.status === 'discarded')
      throw new ApiError(
        payoutErrors.payout_not_in_state,
        'The payout was discarded and its refunds are available again. Create a new payout.',
      )
    if (payout.status === 'open') {
      await requireNoStop(tx, tenantId, () => lockDueTransfers(tx, key))
      await setPayoutReleased(tx, key, now)
      const change = { before: { status: 'open' }, after: { status: 'released' } }
      audit({ action: 'payout.released', subject: { type: 'payout', id: payoutId }, ...change })
    } else audit('nothing changed')
    return viewPayout(await requirePayout({ tenantId, tx }, payoutId))
  },
  {
    policy: 'payout_release',
    confirmDuty: 'release',
    subject: 'payout',
    // Locks the payout, so that it cannot be open again when the operation runs.
    isNeeded: async ({ params }, { tenantId, tx }) =>
      (await lockPayout(tx, { tenantId, ...params }))?.status === 'open',
    // Amounts in several currencies have no common threshold: such a payout always needs a second person.
    amount: async ({ params: { payoutId } }, { tenantId, tx }) => {
      const payout = await findPayout(tx, { tenantId, payoutId })
      const [sum, ...others] = payout ? payoutSums(payout.refundTotals) : []
      return others.length > 0 ? undefined : sum?.amount
    },
    fingerprint: payoutFingerprint,
  },
)

async function requirePayout({ tenantId, tx }: Pick<OperatorContext, 'tenantId' | 'tx'>, payoutId: string) {
  const payout = await findPayout(tx, { tenantId, payoutId })
  if (!payout) throw new Error('a locked payout was not found')
  return payout
}
