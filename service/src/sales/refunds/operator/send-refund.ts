import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { changeRefund } from '../change-refund.ts'
import { refundErrors } from '../refund.errors.ts'
import { Refund, RefundPath, RefundSent } from '../refund.schema.ts'
import { viewRefund } from '../refund.view.ts'

export const sendRefund = operatorOperation(
  {
    id: 'sendRefund',
    summary: 'Mark a refund as sent',
    description: 'The transfer has been handed to the bank. What is sent can no longer be taken back into the order.',
    tag: 'Payments and refunds',
    method: 'POST',
    path: '/refunds/:refundId/send',
    role: 'operator',
    idempotency: 'optional',
    params: RefundPath,
    body: RefundSent,
    success: { status: 200, body: Refund },
    errors: [requestErrors.not_found, refundErrors.refund_not_in_state],
  },
  async ({ params, body }, context) =>
    viewRefund(await changeRefund(context, params.refundId, { to: 'sent', reference: body.reference })),
)
