import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { viewRefund } from '../refund.view.ts'
import { updateRefundStatus } from '../update-refund-status.ts'
import { refundChange } from './refund-decision.ts'

export const settleRefund = operatorOperation(
  {
    ...refundChange,
    id: 'settleRefund',
    summary: 'Mark a refund as settled',
    description: 'The bank has executed the transfer.',
    path: '/refunds/:refundId/settle',
    duty: 'money',
    approval: 'never',
  },
  async ({ params }, context) => viewRefund(await updateRefundStatus(context, params.refundId, { to: 'settled' })),
)
