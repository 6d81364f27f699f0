import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { RefundSent } from '../refund.schema.ts'
import { lockRefund } from '../refund.sql.ts'
import { viewRefund } from '../refund.view.ts'
import { updateRefundStatus } from '../update-refund-status.ts'
import { refundChange, refundRelease } from './refund-decision.ts'

export const sendRefund = operatorOperation(
  {
    ...refundChange,
    id: 'sendRefund',
    summary: 'Mark a refund as sent',
    description:
      'The transfer was submitted to the bank by hand, without the file of a payout. Needs a second person as the ' +
      'release of a payout does, before the transfer is made: both spend money of the collection account. A ' +
      'confirmation is rejected if the refund has changed since the proposal. A sent refund can no longer be applied ' +
      'to the order. Sending it again changes nothing.',
    path: '/refunds/:refundId/send',
    duty: 'money',
    approval: 'policy',
    body: RefundSent,
  },
  async ({ params, body }, context) =>
    viewRefund(await updateRefundStatus(context, params.refundId, { to: 'sent', reference: body.reference })),
  {
    ...refundRelease,
    // The policy of payouts: otherwise one person could pay by hand what two must release in a file.
    policy: 'payout_release',
    // Locks the refund, so that it cannot become due again before the operation runs.
    isNeeded: async ({ params }, { tenantId, tx }) => (await lockRefund(tx, { tenantId, ...params }))?.status === 'due',
  },
)
