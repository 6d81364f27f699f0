import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { refundErrors } from '../refund.errors.ts'
import { Refund, RefundFailure, RefundPath } from '../refund.schema.ts'
import { lockRefund, refundFingerprint } from '../refund.sql.ts'
import { viewRefund } from '../refund.view.ts'
import { updateRefundStatus } from '../update-refund-status.ts'
import { refundAmount } from './refund-amount.ts'
import { refundDecision } from './refund-decision.ts'

export const failRefund = operatorOperation(
  {
    id: 'failRefund',
    summary: 'Mark a refund as failed',
    description:
      'The bank returned the transfer, and no statement says so. A second person always confirms it: if it is wrong, ' +
      'the payee gets the money twice. The money still counts as paid (`may_be_paid`) until a bank entry shows the ' +
      'return. Fix the reason, then make the refund due again with `retry`.',
    tag: 'Payments and refunds',
    method: 'POST',
    path: '/refunds/:refundId/fail',
    duty: 'money',
    approval: 'always',
    decides: refundDecision,
    idempotency: 'optional',
    params: RefundPath,
    body: RefundFailure,
    success: { status: 200, body: Refund },
    errors: [requestErrors.not_found, refundErrors.refund_not_in_state],
  },
  async ({ params, body }, context) =>
    viewRefund(await updateRefundStatus(context, params.refundId, { to: 'failed', failure: body.failure })),
  {
    policy: 'always',
    confirmDuty: 'release',
    subject: 'refund',
    // Locks the refund, so that it cannot be marked as sent before the operation runs.
    isNeeded: async ({ params }, { tenantId, tx }) =>
      (await lockRefund(tx, { tenantId, ...params }))?.status === 'sent',
    amount: refundAmount,
    fingerprint: refundFingerprint,
  },
)
