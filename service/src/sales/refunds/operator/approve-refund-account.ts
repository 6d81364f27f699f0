import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { refundErrors } from '../refund.errors.ts'
import { Refund, RefundPath } from '../refund.schema.ts'
import { lockRefund, lockRefundAccount, refundAccountFingerprint, setAccountApproved } from '../refund.sql.ts'
import { viewRefund } from '../refund.view.ts'
import { refundAmount } from './refund-amount.ts'

export const approveRefundAccount = operatorOperation(
  {
    id: 'approveRefundAccount',
    summary: 'Approve the investor account as the creditor of a refund',
    description:
      'The next payout pays the refund to the bank account that the investor account has now, and not to the payer. ' +
      'For refunds that a payout leaves out with `bank_account_changed`, `holder_unlike_investor` or ' +
      '`payers_differ`, and for those that the bank of the payer returned. The approval is void as ' +
      'soon as the bank account changes.',
    tag: 'Payments and refunds',
    method: 'POST',
    path: '/refunds/:refundId/approve-account',
    duty: 'money',
    approval: 'policy',
    idempotency: 'optional',
    params: RefundPath,
    success: { status: 200, body: Refund },
    errors: [requestErrors.not_found, refundErrors.refund_not_in_state],
  },
  async ({ params: { refundId } }, { tenantId, tx, now, audit }) => {
    const key = { tenantId, refundId }
    const account = await lockRefundAccount(tx, key)
    const refund = await lockRefund(tx, key)
    if (refund?.orderId === null)
      throw new ApiError(
        refundErrors.refund_not_in_state,
        'The refund returns a payment that has no order, so it has no investor account: it goes to the payer.',
      )
    if (!account || !refund) throw new ApiError(requestErrors.not_found, 'Refund not found.')
    if (refund.status !== 'due' && refund.status !== 'failed')
      throw new ApiError(
        refundErrors.refund_not_in_state,
        `A refund that is ${refund.status} is not in a later payout. Only one that is due or failed can be approved.`,
      )
    if (refund.approvedBankAccountVersion === account.bankAccountVersion) {
      audit('nothing changed')
      return viewRefund(refund)
    }
    const approved = await setAccountApproved(tx, key, { bankAccountVersion: account.bankAccountVersion, now })
    audit({
      action: 'refund.account_approved',
      subject: { type: 'refund', id: refundId },
      before: { approved_bank_account_version: refund.approvedBankAccountVersion },
      after: { approved_bank_account_version: account.bankAccountVersion, account_id: account.accountId },
    })
    return viewRefund(approved)
  },
  {
    policy: 'refund_to_changed_account',
    confirmDuty: 'release',
    subject: 'refund',
    amount: refundAmount,
    fingerprint: refundAccountFingerprint,
  },
)
