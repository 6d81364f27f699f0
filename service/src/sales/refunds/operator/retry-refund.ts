import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { lockRefund } from '../refund.sql.ts'
import { viewRefund } from '../refund.view.ts'
import { updateRefundStatus } from '../update-refund-status.ts'
import { refundChange, refundRelease } from './refund-decision.ts'

export const retryRefund = operatorOperation(
  {
    ...refundChange,
    id: 'retryRefund',
    summary: 'Make a failed refund due again',
    description:
      'Makes a refund whose transfer failed due again, so that it can be sent again. Unless a bank entry shows that ' +
      'the transfer came back, a second person always confirms it.',
    path: '/refunds/:refundId/retry',
    duty: 'money',
    approval: 'always',
    bulk: true,
  },
  async ({ params }, context) => viewRefund(await updateRefundStatus(context, params.refundId, { to: 'due' })),
  {
    ...refundRelease,
    policy: 'always',
    // Locks the refund, so that its status cannot change before the operation runs.
    isNeeded: async ({ params }, { tenantId, tx }) => {
      const refund = await lockRefund(tx, { tenantId, ...params })
      return refund?.status === 'failed' && refund.mayBePaid
    },
  },
)
