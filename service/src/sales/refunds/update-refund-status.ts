import type { TenantContext } from '../../platform/api/declare/operation.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { found } from '../../platform/api/errors/found.ts'
import { refundErrors } from './refund.errors.ts'
import { lockRefund, moveRefund, type RefundRow } from './refund.sql.ts'
import { type RefundStatus, refundEvent } from './refund-status.ts'

/** Changes the status of a refund for an operator. Repeating the change does nothing and returns the same refund. */
export async function updateRefundStatus(
  { tenantId, tx, now, audit }: Pick<TenantContext, 'tenantId' | 'tx' | 'now' | 'audit'>,
  refundId: string,
  change: { to: RefundStatus; reference?: string; failure?: string },
): Promise<RefundRow> {
  const refund = found(await lockRefund(tx, { tenantId, refundId }), 'Refund not found.')
  if (refund.status === change.to) {
    audit('nothing changed')
    return refund
  }
  if (!refundEvent(refund.status, change.to))
    throw new ApiError(
      refundErrors.refund_not_in_state,
      `A refund that is ${refund.status} cannot become ${change.to}.`,
    )
  const moved = await moveRefund(tx, tenantId, refund, { ...change, now })
  audit({
    action: `refund.${change.to}`,
    subject: { type: 'refund', id: refundId },
    before: { status: refund.status },
    after: { status: moved.status, reference: moved.reference, failure: moved.failure },
  })
  return moved
}
