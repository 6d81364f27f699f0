import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { found } from '../../../platform/api/errors/found.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { offeringErrors } from '../../offerings/offering.errors.ts'
import { offeringChange } from '../../offerings/operator/offering-change.ts'
import { RefundOfAllReason } from '../../offerings/operator/operator-offering.schema.ts'
import {
  findOffering,
  lockOffering,
  type OperatorOfferingRow,
  offeringFingerprint,
} from '../../offerings/operator/operator-offering.sql.ts'
import { viewOperatorOffering } from '../../offerings/operator/operator-offering.view.ts'
import { enqueueRefundOfAll } from '../refund-offering.job.ts'
import { setRefundAll, sumOrdersToCancel } from '../refund-offering.sql.ts'

export const refundAllOrders = operatorOperation(
  {
    ...offeringChange,
    id: 'refundAllOrders',
    summary: 'Refund all orders of an offering that missed its soft cap',
    description:
      'For a closed offering whose paid orders did not reach the soft cap. A worker cancels all its orders, which ' +
      'refunds what was paid for them; `refunded_all_at` is set when it is done. From the confirmation on the soft ' +
      'cap cannot be met any more. Requesting it again changes nothing.',
    path: '/offerings/:offeringId/refund-all',
    duty: 'offerings',
    approval: 'always',
    body: RefundOfAllReason,
    errors: [requestErrors.not_found, offeringErrors.soft_cap_not_missed],
  },
  async ({ params, body }, { tenantId, tx, now, audit }) => {
    const key = { tenantId, ...params }
    const offering = found(await lockOffering(tx, key), 'There is no such offering.')
    if (offering.refundAllAt) {
      audit('nothing changed')
      return viewOperatorOffering(offering)
    }
    const problem = problemOf(offering)
    if (problem !== undefined) throw new ApiError(offeringErrors.soft_cap_not_missed, problem)
    const cancelled = await sumOrdersToCancel(tx, key)
    await tx.batch(
      (tx) => setRefundAll(tx, key, now),
      (tx) => enqueueRefundOfAll(tx, key),
    )
    audit({
      action: 'offering.refund_all',
      subject: { type: 'offering', id: params.offeringId },
      before: { refund_all_at: null },
      after: { refund_all_at: now, orders: cancelled?.count, paid_amount: cancelled?.amount, reason: body.reason },
    })
    return viewOperatorOffering({ ...offering, refundAllAt: now })
  },
  {
    policy: 'always',
    confirmDuty: 'release',
    subject: 'offering',
    isNeeded: async ({ params }, { tenantId, tx }) => !(await findOffering(tx, { tenantId, ...params }))?.refundAllAt,
    amount: async ({ params }, { tenantId, tx }) => (await sumOrdersToCancel(tx, { tenantId, ...params }))?.amount,
    fingerprint: offeringFingerprint,
  },
)

function problemOf({ status, softCapUnits, softCapAmount, softCapMetAt }: OperatorOfferingRow): string | undefined {
  if (softCapUnits === null && softCapAmount === null) return 'The offering has no soft cap.'
  if (softCapMetAt) return `Its soft cap was met at ${softCapMetAt.toISOString()}.`
  return status === 'CLOSED' ? undefined : `The offering is ${status}. Close it first: it may still reach its soft cap.`
}
