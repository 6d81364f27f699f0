import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError, validationFailed } from '../../../platform/api/errors/errors.ts'
import { newRowId } from '../../../platform/base/ids.ts'
import { payoutErrors } from '../payout.errors.ts'
import { CreatedPayout, NewPayout } from '../payout.schema.ts'
import { countDueRefundsInOpenPayouts, findPayout, insertPayout, lockAvailableRefunds } from '../payout.sql.ts'
import { viewPayout } from '../payout.view.ts'
import { planTransfers, type TransferPlan } from '../plan-transfers.ts'

/** A file of about 1 MB, which one transaction writes. Further refunds go into the next payout. */
const refundsMax = 1_000

export const createPayout = operatorOperation(
  {
    id: 'createPayout',
    summary: 'Create a payout of due refunds',
    description:
      'Adds all due refunds that are not in another open payout, up to 1,000, oldest first. Downloading its file, to ' +
      'upload at the bank, marks the refunds as sent; discarding the payout makes them available for another one. ' +
      'Refunds that a file cannot contain stay due, and `left_out` says why and what to do.',
    tag: 'Payments and refunds',
    method: 'POST',
    path: '/payouts',
    duty: 'money',
    approval: 'never',
    idempotency: 'optional',
    body: NewPayout,
    success: { status: 201, body: CreatedPayout, location: ({ id }: { id: string }) => `/payouts/${id}` },
    errors: [payoutErrors.no_refund_due],
  },
  async ({ body }, { tenantId, tx, vault, now, audit }) => {
    const { currency = null, execution_date: executionDate = null } = body
    if (executionDate !== null && executionDate < now.toISOString().slice(0, 10))
      throw validationFailed([
        { detail: 'The member execution_date must be today (UTC) or later.', pointer: '/execution_date' },
      ])
    const available = await lockAvailableRefunds(tx, { tenantId, currency, limit: refundsMax + 1 })
    const plan = await planTransfers(available.slice(0, refundsMax), vault)
    if (plan.transfers.length === 0) throw noRefundDue(plan, await countDueRefundsInOpenPayouts(tx, tenantId))

    const payoutId = newRowId()
    const refundIds = plan.transfers.map(({ refundId }) => refundId)
    await insertPayout(tx, { tenantId, payoutId }, { currency, executionDate, now, refundIds })
    const payout = await findPayout(tx, { tenantId, payoutId })
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
