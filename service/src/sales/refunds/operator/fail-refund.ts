import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { refundErrors } from '../refund.errors.ts'
import { Refund, RefundFailure, RefundPath } from '../refund.schema.ts'
import { viewRefund } from '../refund.view.ts'
import { updateRefundStatus } from '../update-refund-status.ts'
import { refundDecision } from './refund-decision.ts'

export const failRefund = operatorOperation(
  {
    id: 'failRefund',
    summary: 'Mark a refund as failed',
    description: 'The bank returned the transfer. Fix the reason, then make the refund due again with `retry`.',
    tag: 'Payments and refunds',
    method: 'POST',
    path: '/refunds/:refundId/fail',
    duty: 'money',
    approval: 'never',
    decides: refundDecision,
    idempotency: 'optional',
    params: RefundPath,
    body: RefundFailure,
    success: { status: 200, body: Refund },
    errors: [requestErrors.not_found, refundErrors.refund_not_in_state],
  },
  async ({ params, body }, context) =>
    viewRefund(await updateRefundStatus(context, params.refundId, { to: 'failed', failure: body.failure })),
)
