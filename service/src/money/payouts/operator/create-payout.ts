import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError, validationFailed } from '../../../platform/api/errors/errors.ts'
import { newRowId } from '../../../platform/base/ids.ts'
import { payoutErrors } from '../payout.errors.ts'
import { CreatedPayout, NewPayout } from '../payout.schema.ts'
import { findPayout, insertPayout } from '../payout.sql.ts'
import { viewPayout } from '../payout.view.ts'
import { countDueRefundsInOpenPayouts, insertTransfers, lockAvailableRefunds } from '../payout-transfer.sql.ts'
import { planTransfers, type TransferPlan } from '../plan-transfers.ts'
import { requireNoStop } from '../require-no-stop.ts'
import { sealCreditor } from '../sealed-creditor.ts'
import { separateUncovered } from '../separate-uncovered.ts'

/** A file of about 1 MB, which one transaction writes. Further refunds go into the next payout. */
const refundsMax = 1_000

export const createPayout = operatorOperation(
  {
    id: 'createPayout',
    summary: 'Create a payout of due refunds',
    description:
      'Adds all due refunds that are not in another open payout, up to 1,000, oldest first. Each goes back to the ' +
      'account that its payment came from; if that is not known, to the bank account of the investor account. ' +
      'Later changes of either do not change the payout: see `GET /payouts/{payoutId}/transfers`. Release it, then ' +
      'download its file; or discard it, which makes its refunds available for another payout. Refunds that a file ' +
      'cannot contain, or whose account must be approved first, stay due, and `left_out` says why and what to do.',
    tag: 'Payments and refunds',
    method: 'POST',
    path: '/payouts',
    duty: 'money',
    approval: 'never',
    idempotency: 'optional',
    body: NewPayout,
    success: { status: 201, body: CreatedPayout, location: ({ id }: { id: string }) => `/payouts/${id}` },
    errors: [payoutErrors.no_refund_due, payoutErrors.payouts_stopped],
  },
  async ({ body }, { tenantId, tx, vault, now, operator, audit }) => {
    const { currency = null, execution_date: executionDate = null } = body
    if (executionDate !== null && executionDate < now.toISOString().slice(0, 10))
      throw validationFailed([
        { detail: 'The member execution_date must be today (UTC) or later.', pointer: '/execution_date' },
      ])
    const available = await lockAvailableRefunds(tx, { tenantId, currency, limit: refundsMax + 1 })
    await requireNoStop(tx, tenantId, async () => available)
    const { covered, uncovered } = separateUncovered(available.slice(0, refundsMax), operator.policies)
    const planned = await planTransfers(covered, { tenantId, tx, vault, now })
    const plan = { ...planned, leftOut: [...uncovered, ...planned.leftOut] }
    if (plan.transfers.length === 0) throw noRefundDue(plan, await countDueRefundsInOpenPayouts(tx, tenantId))

    const payoutId = newRowId()
    const key = { tenantId, payoutId }
    const transfers = await Promise.all(
      plan.transfers.map(async ({ refundId, creditor, source }) => {
        return { refundId, source, creditor: await sealCreditor(vault, { payoutId, refundId }, creditor) }
      }),
    )
    const [, , payout] = await tx.batch(
      (tx) => insertPayout(tx, key, { currency, executionDate, now }),
      (tx) => insertTransfers(tx, key, transfers),
      (tx) => findPayout(tx, key),
    )
    if (!payout) throw new Error('the payout that was just inserted was not found')
    const view = viewPayout(payout)
    const after = { currency, execution_date: executionDate, count: view.count, sums: view.sums }
    audit({ action: 'payout.created', subject: { type: 'payout', id: payoutId }, after })
    return { ...view, left_out: viewLeftOut(plan), has_more: available.length > refundsMax }
  },
)

function viewLeftOut({ leftOut }: TransferPlan) {
  return leftOut.map(({ refundId, reason, message }) => ({ refund_id: refundId, reason, message }))
}

function noRefundDue({ leftOut }: TransferPlan, inOpenPayouts: number): ApiError {
  const [first] = leftOut
  const leftOutText = first
    ? `Due refunds that cannot be in a file: ${leftOut.length}. The first is ${first.refundId}: ${first.message}`
    : ''
  const openText = inOpenPayouts > 0 ? `Due refunds in open payouts: ${inOpenPayouts}.` : ''
  const sentences = ['No refund can be paid out now.', leftOutText, openText].filter((sentence) => sentence !== '')
  return new ApiError(payoutErrors.no_refund_due, sentences.join(' '))
}
