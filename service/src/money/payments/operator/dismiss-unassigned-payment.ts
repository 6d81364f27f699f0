import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { lockUnassignedForDecision } from '../lock-unassigned-payment.ts'
import { paymentErrors } from '../payment.errors.ts'
import { Dismissal, UnassignedPayment, UnassignedPaymentPath } from '../unassigned-payment.schema.ts'
import { decideUnassignedPayment } from '../unassigned-payment.sql.ts'
import { viewUnassignedPayment } from '../unassigned-payment.view.ts'
import { unassignedPaymentDecision } from './unassigned-payment-decision.ts'

export const dismissUnassignedPayment = operatorOperation(
  {
    id: 'dismissUnassignedPayment',
    summary: 'Dismiss an unassigned payment',
    description:
      'For a payment that belongs to no order: interest, fees, a transfer between your own accounts. It stays in the ' +
      'list with the reason. Dismissing it again changes nothing.',
    tag: 'Payments and refunds',
    method: 'POST',
    path: '/unassigned-payments/:paymentId/dismiss',
    duty: 'money',
    approval: 'never',
    decides: unassignedPaymentDecision,
    idempotency: 'optional',
    params: UnassignedPaymentPath,
    body: Dismissal,
    success: { status: 200, body: UnassignedPayment },
    errors: [requestErrors.not_found, paymentErrors.unassigned_payment_not_open],
  },
  async ({ params, body: { reason } }, context) => {
    const { tenantId, tx, audit } = context
    const payment = await lockUnassignedForDecision(context, params.paymentId, { status: 'dismissed' })
    if (payment.status !== 'open') return viewUnassignedPayment(context, payment)
    const dismissed = await decideUnassignedPayment(
      tx,
      { tenantId, ...params },
      {
        status: 'dismissed',
        unassignedAmount: payment.unassignedAmount,
        dismissalReason: reason,
      },
    )
    audit({
      action: 'unassigned_payment.dismissed',
      subject: { type: 'unassigned_payment', id: payment.id },
      before: { status: payment.status },
      after: { status: dismissed.status, unassigned_amount: dismissed.unassignedAmount, reason },
    })
    return viewUnassignedPayment(context, dismissed)
  },
)
