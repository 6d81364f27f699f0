import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { paymentErrors } from '../payment.errors.ts'
import { lockOpenUnassigned, oneUnassigned } from '../unassigned-money.ts'
import { Dismissal, UnassignedPayment, UnassignedPaymentPath } from '../unassigned-payment.schema.ts'
import { decideUnassigned } from '../unassigned-payment.sql.ts'

export const dismissUnassignedPayment = operatorOperation(
  {
    id: 'dismissUnassignedPayment',
    summary: 'Dismiss money that fits no order',
    description:
      'It belongs to no order and never will: interest, fees, a transfer between own accounts. It stays listed, with ' +
      'the reason. Dismissing it again changes nothing.',
    tag: 'Payments and refunds',
    method: 'POST',
    path: '/unassigned-payments/:paymentId/dismiss',
    role: 'operator',
    idempotency: 'optional',
    params: UnassignedPaymentPath,
    body: Dismissal,
    success: { status: 200, body: UnassignedPayment },
    errors: [requestErrors.not_found, paymentErrors.unassigned_payment_not_open],
  },
  async ({ params, body: { reason } }, context) => {
    const { tenantId, tx, audit } = context
    const money = await lockOpenUnassigned(context, params.paymentId, { status: 'dismissed' })
    if (money.status !== 'open') return oneUnassigned(context, money)
    const dismissed = await decideUnassigned(tx, { tenantId, ...params }, { status: 'dismissed', reason })
    audit({
      action: 'unassigned_payment.dismissed',
      subject: { type: 'unassigned_payment', id: money.id },
      before: { status: money.status },
      after: { status: dismissed.status, reason },
    })
    return oneUnassigned(context, dismissed)
  },
)
