import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { changeRefund } from '../change-refund.ts'
import { refundErrors } from '../refund.errors.ts'
import { Refund, RefundFailure, RefundPath } from '../refund.schema.ts'
import { viewRefund } from '../refund.view.ts'

export const failRefund = operatorOperation(
  {
    id: 'failRefund',
    summary: 'Mark a refund as failed',
    description: 'The bank has sent the money back. Once the reason is known and mended, make it due again.',
    tag: 'Payments and refunds',
    method: 'POST',
    path: '/refunds/:refundId/fail',
    role: 'operator',
    idempotency: 'optional',
    params: RefundPath,
    body: RefundFailure,
    success: { status: 200, body: Refund },
    errors: [requestErrors.not_found, refundErrors.refund_not_in_state],
  },
  async ({ params, body }, context) =>
    viewRefund(await changeRefund(context, params.refundId, { to: 'failed', failure: body.failure })),
)
