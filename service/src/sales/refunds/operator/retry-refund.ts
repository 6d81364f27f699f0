import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { refundErrors } from '../refund.errors.ts'
import { Refund, RefundPath } from '../refund.schema.ts'
import { lockRefund, refundFingerprint } from '../refund.sql.ts'
import { viewRefund } from '../refund.view.ts'
import { updateRefundStatus } from '../update-refund-status.ts'
import { refundAmount } from './refund-amount.ts'
import { refundDecision } from './refund-decision.ts'

export const retryRefund = operatorOperation(
  {
    id: 'retryRefund',
    summary: 'Make a failed refund due again',
    description:
      'Makes a refund whose transfer failed due again, so that it can be sent again. Unless a bank entry shows that ' +
      'the transfer came back, a second person always confirms it.',
    tag: 'Payments and refunds',
    method: 'POST',
    path: '/refunds/:refundId/retry',
    duty: 'money',
    approval: 'always',
    decides: refundDecision,
    bulk: true,
    idempotency: 'optional',
    params: RefundPath,
    success: { status: 200, body: Refund },
    errors: [requestErrors.not_found, refundErrors.refund_not_in_state],
  },
  async ({ params }, context) => viewRefund(await updateRefundStatus(context, params.refundId, { to: 'due' })),
  {
    policy: 'always',
    confirmDuty: 'release',
    subject: 'refund',
    // Locks the refund, so that its status cannot change before the operation runs.
    isNeeded: async ({ params }, { tenantId, tx }) => {
      const refund = await lockRefund(tx, { tenantId, ...params })
      return refund?.status === 'failed' && refund.mayBePaid
    },
    amount: refundAmount,
    fingerprint: refundFingerprint,
  },
)
