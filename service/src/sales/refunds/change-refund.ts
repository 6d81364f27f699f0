import type { TenantContext } from '../../platform/api/declare/operation.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { refundErrors } from './refund.errors.ts'
import { lockRefund, moveRefund, type RefundRow } from './refund.sql.ts'
import { type RefundStatus, refundEvent } from './refund-status.ts'

/** An operator takes a refund one step further. Taking the same step again changes nothing and answers the same. */
export async function changeRefund(
  { tenantId, tx, now, audit }: Pick<TenantContext, 'tenantId' | 'tx' | 'now' | 'audit'>,
  refundId: string,
  step: { to: RefundStatus; reference?: string; failure?: string },
): Promise<RefundRow> {
  const refund = await lockRefund(tx, { tenantId, refundId })
  if (!refund) throw new ApiError(requestErrors.not_found, 'There is no such refund.')
  if (refund.status === step.to) {
    audit('nothing changed')
    return refund
  }
  if (!refundEvent(refund.status, step.to))
    throw new ApiError(refundErrors.refund_not_in_state, `A refund that is ${refund.status} cannot become ${step.to}.`)
  const moved = await moveRefund(tx, tenantId, refund, { ...step, now })
  audit({
    action: `refund.${step.to}`,
    subject: { type: 'refund', id: refundId },
    before: { status: refund.status },
    after: { status: moved.status, reference: moved.reference, failure: moved.failure },
  })
  return moved
}
