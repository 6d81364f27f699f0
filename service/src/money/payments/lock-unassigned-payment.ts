import type { TenantContext } from '../../platform/api/declare/operation.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { paymentErrors } from './payment.errors.ts'
import { lockUnassignedPayment, type UnassignedPaymentRow } from './unassigned-payment.sql.ts'

/**
 * Locks an unassigned payment that an operator decides on. The payment must be open, or must already have the same
 * decision: then the caller returns it unchanged, and the audit log has no entry.
 */
export async function lockUnassignedForDecision(
  { tenantId, tx, audit }: Pick<TenantContext, 'tenantId' | 'tx' | 'audit'>,
  paymentId: string,
  decision: { status: 'assigned'; orderId: string } | { status: 'dismissed' },
): Promise<UnassignedPaymentRow> {
  const payment = await lockUnassignedPayment(tx, { tenantId, paymentId })
  if (!payment) throw new ApiError(requestErrors.not_found, 'Unassigned payment not found.')
  if (payment.status === 'open') return payment
  const isSameOrder = decision.status === 'dismissed' || payment.orderId === decision.orderId
  if (payment.status !== decision.status || !isSameOrder)
    throw new ApiError(
      paymentErrors.unassigned_payment_not_open,
      payment.status === 'assigned'
        ? `The payment is already assigned to order ${payment.orderId}.`
        : 'The payment is already dismissed.',
    )
  audit('nothing changed')
  return payment
}
