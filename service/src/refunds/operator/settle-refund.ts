import { operatorOperation } from '../../http/operation.ts'
import { changeRefund } from '../change-refund.ts'
import { Refund, RefundPath } from '../refund.schema.ts'
import { viewRefund } from '../refund.view.ts'

export const settleRefund = operatorOperation(
  {
    id: 'settleRefund',
    summary: 'Mark a refund as settled',
    description: 'The money has left the account for good.',
    tag: 'Payments and refunds',
    method: 'POST',
    path: '/refunds/:refundId/settle',
    role: 'operator',
    idempotency: 'optional',
    params: RefundPath,
    success: { status: 200, body: Refund },
    errors: ['not_found', 'refund_not_in_state'],
  },
  async ({ params }, context) => viewRefund(await changeRefund(context, params.refundId, { to: 'settled' })),
)
