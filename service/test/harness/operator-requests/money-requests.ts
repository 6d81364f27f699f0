import { camt053, reversedEntry, statementAfterGap, waitingStatement } from '../money/camt053.ts'
import { bulkOf, type OperatorRequest } from './operator-request.ts'
import { booked, payout, provider, refund, refundAfter, releasedPayout, unassigned } from './prepared-money.ts'
import { orderIn } from './prepared-sales.ts'

/** Valid requests of operations, by id. */
export const moneyRequests: Readonly<Record<string, OperatorRequest>> = {
  recordPayment: {
    body: () => ({
      amount: '125.00',
      currency: 'EUR',
      reference: crypto.randomUUID(),
      received_at: '2026-07-02T10:00:00.000Z',
    }),
    prepare: orderIn('ORDERED'),
  },
  assignPayment: { body: ({ orderId }) => ({ order_id: orderId }), prepare: unassigned },
  splitUnassignedPayment: {
    body: ({ orderId }) => ({ parts: [{ order_id: orderId, amount: '10.00' }] }),
    prepare: unassigned,
  },
  returnUnassignedPayment: { body: () => ({ reason: 'not an investor' }), prepare: unassigned },
  reverseBookedPayment: {
    body: () => ({ reason: 'booked to the wrong order' }),
    prepare: booked,
    idsOf: ({ bookedPaymentId }) => (bookedPaymentId === undefined ? {} : { paymentId: bookedPaymentId }),
  },
  dismissUnassignedPayment: { body: () => ({ reason: 'interest of the bank' }), prepare: unassigned },
  revealPayer: {},
  acceptLatePayment: { prepare: refund },
  approveRefundAccount: { prepare: refund },
  sendRefund: { body: () => ({ reference: 'RUN-1' }), prepare: refund },
  settleRefund: { prepare: refundAfter('send') },
  failRefund: { body: () => ({ failure: 'AC04 closed account' }), prepare: refundAfter('send') },
  retryRefund: { prepare: refundAfter('send', 'fail') },
  createPaymentProvider: { body: () => ({ kind: 'standard', name: `p-${crypto.randomUUID().slice(0, 8)}` }) },
  disablePaymentProvider: { prepare: provider },
  rotatePaymentProvider: { body: () => ({}), prepare: provider },
  createPayout: { body: () => ({}), prepare: refund },
  releasePayout: { prepare: payout },
  discardPayout: { prepare: payout },
  downloadPayout: { prepare: releasedPayout },
  importStatement: {
    body: () => camt053({ entries: [{ amount: '1.00' }] }),
    headers: { 'content-type': 'application/xml' },
  },
  bookStatement: { prepare: (installation, { tenantId }) => waitingStatement(installation, tenantId) },
  discardStatement: {
    body: () => ({ reason: 'not from the bank' }),
    prepare: (installation, { tenantId }) => waitingStatement(installation, tenantId),
  },
  downloadStatement: {},
  resolveStatementEntry: {
    body: () => ({ resolution: 'spoke to the bank' }),
    prepare: (installation, { tenantId }) => reversedEntry(installation, tenantId),
  },
  revealStatementEntry: {},
  resolveStatementGap: {
    body: () => ({ resolution: 'the account was moved' }),
    prepare: (installation, { tenantId }) => statementAfterGap(installation, tenantId),
  },
  bulkAssignPayment: bulkOf(
    ({ orderId, paymentId }) => ({ payment_id: paymentId, body: { order_id: orderId } }),
    unassigned,
  ),
  bulkRetryRefund: bulkOf(({ refundId }) => ({ refund_id: refundId }), refundAfter('send', 'fail')),
}
