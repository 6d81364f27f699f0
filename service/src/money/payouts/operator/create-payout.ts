import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError, validationFailed } from '../../../platform/api/errors/errors.ts'
import { newRowId } from '../../../platform/base/ids.ts'
import { payoutErrors } from '../payout.errors.ts'
import { CreatedPayout, NewPayout } from '../payout.schema.ts'
import { countTakenRefunds, findPayout, insertPayout, lockFreeRefunds } from '../payout.sql.ts'
import { viewPayout } from '../payout.view.ts'
import { type Plan, planTransfers } from '../plan-transfers.ts'

/** About a megabyte of file, which is written in one transaction. What is more goes into the next payout. */
const refundsMax = 1_000

export const createPayout = operatorOperation(
  {
    id: 'createPayout',
    summary: 'Gather refunds for the bank',
    description:
      'Takes all refunds that are due, up to 1,000, oldest first, and that no other open payout has. Download its ' +
      'file, give that to the bank, and the refunds are sent; discard it, and they are free again. What a file ' +
      'cannot carry stays due, and the answer says what to do about it.',
    tag: 'Payments and refunds',
    method: 'POST',
    path: '/payouts',
    role: 'operator',
    idempotency: 'optional',
    body: NewPayout,
    success: { status: 201, body: CreatedPayout, location: ({ id }: { id: string }) => `/payouts/${id}` },
    errors: [payoutErrors.no_refund_due],
  },
  async ({ body }, { tenantId, tx, vault, now, audit }) => {
    const { currency = null, execution_date: executionDate = null } = body
    if (executionDate !== null && executionDate < now.toISOString().slice(0, 10))
      throw validationFailed([
        { detail: 'The member execution_date must not be before today (UTC).', pointer: '/execution_date' },
      ])
    const free = await lockFreeRefunds(tx, { tenantId, currency, limit: refundsMax + 1 })
    const plan = await planTransfers(free.slice(0, refundsMax), vault)
    if (plan.transfers.length === 0) throw nothingDue(plan, await countTakenRefunds(tx, tenantId))

    const payoutId = newRowId()
    const refundIds = plan.transfers.map(({ refundId }) => refundId)
    await insertPayout(tx, { tenantId, payoutId }, { currency, executionDate, now, refundIds })
    const payout = await findPayout(tx, { tenantId, payoutId })
    if (!payout) throw new Error('a payout that was just inserted is not there')
    const view = viewPayout(payout)
    const after = { currency, execution_date: executionDate, count: view.count, sums: view.sums }
    audit({ action: 'payout.created', subject: { type: 'payout', id: payoutId }, after })
    return { ...view, left_out: viewLeftOut(plan), has_more: free.length > refundsMax }
  },
)

function viewLeftOut({ leftOut }: Plan) {
  return leftOut.map(({ refundId, reason, message }) => ({ refund_id: refundId, reason, message }))
}

function nothingDue({ leftOut }: Plan, taken: number): ApiError {
  const [first] = leftOut
  const unfit = first
    ? `${leftOut.length} due cannot go into a file. The first is ${first.refundId}: ${first.message}`
    : ''
  const elsewhere = taken > 0 ? `${taken} due are in payouts that are open.` : ''
  const sentences = ['No refund can be paid out now.', unfit, elsewhere].filter((sentence) => sentence !== '')
  return new ApiError(payoutErrors.no_refund_due, sentences.join(' '))
}
