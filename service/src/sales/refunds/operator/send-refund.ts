import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { refundErrors } from '../refund.errors.ts'
import { Refund, RefundPath, RefundSent } from '../refund.schema.ts'
import { viewRefund } from '../refund.view.ts'
import { updateRefundStatus } from '../update-refund-status.ts'

export const sendRefund = operatorOperation(
  {
    id: 'sendRefund',
    summary: 'Mark a refund as sent',
    description: 'The transfer was submitted to the bank. A sent refund can no longer be applied to the order.',
    tag: 'Payments and refunds',
    method: 'POST',
    path: '/refunds/:refundId/send',
    duty: 'money',
    approval: 'never',
    idempotency: 'optional',
    params: RefundPath,
    body: RefundSent,
    success: { status: 200, body: Refund },
    errors: [requestErrors.not_found, refundErrors.refund_not_in_state],
  },
  async ({ params, body }, context) =>
    viewRefund(await updateRefundStatus(context, params.refundId, { to: 'sent', reference: body.reference })),
)
