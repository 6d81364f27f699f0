import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { RefundFailure } from '../refund.schema.ts'
import { lockRefund } from '../refund.sql.ts'
import { viewRefund } from '../refund.view.ts'
import { updateRefundStatus } from '../update-refund-status.ts'
import { refundChange, refundRelease } from './refund-decision.ts'

export const failRefund = operatorOperation(
  {
    ...refundChange,
    id: 'failRefund',
    summary: 'Mark a refund as failed',
    description:
      'The bank returned the transfer, and no statement says so. A second person always confirms it: if it is wrong, ' +
      'the payee gets the money twice. The money still counts as paid (`may_be_paid`) until a bank entry shows the ' +
      'return. Fix the reason, then make the refund due again with `retry`.',
    path: '/refunds/:refundId/fail',
    duty: 'money',
    approval: 'always',
    body: RefundFailure,
  },
  async ({ params, body }, context) =>
    viewRefund(await updateRefundStatus(context, params.refundId, { to: 'failed', failure: body.failure })),
  {
    ...refundRelease,
    policy: 'always',
    // Locks the refund, so that it cannot be marked as sent before the operation runs.
    isNeeded: async ({ params }, { tenantId, tx }) =>
      (await lockRefund(tx, { tenantId, ...params }))?.status === 'sent',
  },
)
