import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { found } from '../../../platform/api/errors/found.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import type { Transaction } from '../../../platform/postgres/transaction.ts'
import { OperatorOrderPath } from '../../../sales/orders/operator/operator-order.schema.ts'
import { lockOrder, orderFingerprint } from '../../../sales/orders/order-transition.sql.ts'
import { paymentErrors } from '../payment.errors.ts'
import { amountOf, NewPayment, Payment } from '../payment.schema.ts'
import { findPaymentByReference, findReportedPayment, type SameMoney } from '../payment.sql.ts'
import { viewPayment } from '../payment.view.ts'
import { receivePayment } from '../receive-payment.ts'
import { requireNeededAmount } from '../require-needed-amount.ts'

export const recordPayment = operatorOperation(
  {
    id: 'recordPayment',
    summary: 'Record a payment',
    description:
      'Records a payment received for an order. The amount that the order needs is applied. What is overpaid, late ' +
      'or for a cancelled order is refunded. Recording the same `reference` again changes nothing. If a bank or a ' +
      'provider has reported the same amount for the order, the payment is rejected unless it `is_additional`. So is ' +
      'one that exceeds what the order needs by more than 1 % of its total or more than 10.00.',
    tag: 'Payments and refunds',
    method: 'POST',
    path: '/orders/:orderId/payments',
    duty: 'money',
    approval: 'policy',
    idempotency: 'optional',
    params: OperatorOrderPath,
    body: NewPayment,
    success: { status: 201, body: Payment },
    errors: [
      requestErrors.not_found,
      paymentErrors.payment_currency_mismatch,
      paymentErrors.payment_conflict,
      paymentErrors.duplicate_payment_suspected,
      paymentErrors.payment_exceeds_order,
    ],
  },
  async ({ params, body }, { tenantId, tx, operator, audit }) => {
    const order = found(await lockOrder(tx, { tenantId, ...params }), 'Order not found.')
    const received = { provider: 'manual', providerReference: body.reference, amount: amountOf(body) } as const
    const known = await findPaymentByReference(tx, { tenantId, ...received })
    if (!known && body.is_additional !== true)
      await rejectReportedPayment(tx, { tenantId, orderId: order.id, ...received })
    if (!known) await requireNeededAmount(tx, order, received.amount)
    const receivedAt = new Date(body.received_at)
    const approvalId = operator.proof.type === 'approval' ? operator.proof.id : undefined
    const { payment, order: paid, isNew } = await receivePayment(tx, order, { ...received, receivedAt, approvalId })
    if (isNew)
      audit({
        action: 'payment.recorded',
        subject: { type: 'order', id: order.id },
        before: { status: order.status, paid_amount: order.paidAmount },
        after: { status: paid.status, paid_amount: paid.paidAmount, payment_id: payment.id, amount: payment.amount },
      })
    else audit('nothing changed')
    return viewPayment(payment)
  },
  {
    policy: 'manual_payment',
    confirmDuty: 'release',
    subject: 'order',
    // An amount with fractions of a minor unit has no threshold; the operation rejects it.
    amount: ({ body }) => (amountOf(body).isWhole ? amountOf(body) : undefined),
    fingerprint: orderFingerprint,
  },
)

/** Rejects a payment that a bank or a provider has reported. The order is locked. */
async function rejectReportedPayment(tx: Transaction, payment: SameMoney): Promise<void> {
  const reported = await findReportedPayment(tx, payment)
  if (!reported) return
  const { id, amount, currency, provider, providerReference } = reported
  throw new ApiError(
    paymentErrors.duplicate_payment_suspected,
    `Payment ${id} over ${amount} ${currency} was reported for this order by ${provider}, reference ` +
      `${providerReference}. If this is another payment, set is_additional to true.`,
  )
}
