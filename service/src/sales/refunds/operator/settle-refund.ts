import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { refundErrors } from '../refund.errors.ts'
import { Refund, RefundPath } from '../refund.schema.ts'
import { viewRefund } from '../refund.view.ts'
import { updateRefundStatus } from '../update-refund-status.ts'
import { refundDecision } from './refund-decision.ts'

export const settleRefund = operatorOperation(
  {
    id: 'settleRefund',
    summary: 'Mark a refund as settled',
    description: 'The bank has executed the transfer.',
    tag: 'Payments and refunds',
    method: 'POST',
    path: '/refunds/:refundId/settle',
    duty: 'money',
    approval: 'never',
    decides: refundDecision,
    idempotency: 'optional',
    params: RefundPath,
    success: { status: 200, body: Refund },
    errors: [requestErrors.not_found, refundErrors.refund_not_in_state],
  },
  async ({ params }, context) => viewRefund(await updateRefundStatus(context, params.refundId, { to: 'settled' })),
)
