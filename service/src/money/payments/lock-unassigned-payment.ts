import type { TenantContext } from '../../platform/api/declare/operation.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { found } from '../../platform/api/errors/found.ts'
import type { Money } from '../../platform/base/money.ts'
import { paymentErrors } from './payment.errors.ts'
import { lockUnassignedPayment, type UnassignedPaymentRow } from './unassigned-payment.sql.ts'

/**
 * Locks an unassigned payment that an operator decides on. The payment must be open, or must already have the same
 * decision: then the caller returns it unchanged, and the audit log has no entry.
 */
export async function lockUnassignedForDecision(
  { tenantId, tx, audit }: Pick<TenantContext, 'tenantId' | 'tx' | 'audit'>,
  paymentId: string,
  decision: { status: 'assigned'; orderId: string } | { status: 'split' | 'returned' | 'dismissed' },
): Promise<UnassignedPaymentRow> {
  const payment = found(await lockUnassignedPayment(tx, { tenantId, paymentId }), 'Unassigned payment not found.')
  if (payment.status === 'open') return payment
  // Splitting again counts as another split: the parts are not compared.
  const isRepeatable = decision.status !== 'split'
  const isSameOrder = decision.status !== 'assigned' || payment.orderId === decision.orderId
  if (payment.status !== decision.status || !isSameOrder || !isRepeatable)
    throw new ApiError(
      paymentErrors.unassigned_payment_not_open,
      payment.status === 'assigned'
        ? `The payment is already assigned to order ${payment.orderId}.`
        : `The payment is already ${payment.status}.`,
    )
  audit('nothing changed')
  return payment
}

/**
 * Returns the amount to compare with the threshold of a policy. Undefined if the payment does not exist, or if it has
 * fractions of a minor unit.
 */
export async function unassignedAmountOf(
  { tenantId, tx }: Pick<TenantContext, 'tenantId' | 'tx'>,
  paymentId: string,
): Promise<Money | undefined> {
  const payment = await lockUnassignedPayment(tx, { tenantId, paymentId })
  return payment?.unassignedAmount.isWhole ? payment.unassignedAmount : undefined
}
