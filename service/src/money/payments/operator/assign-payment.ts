import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { found } from '../../../platform/api/errors/found.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { Money } from '../../../platform/base/money.ts'
import { lockOrder } from '../../../sales/orders/order-transition.sql.ts'
import { bookPart } from '../book-part.ts'
import { isEvidentAssignment } from '../evident-assignment.ts'
import { lockUnassignedForDecision, unassignedAmountOf } from '../lock-unassigned-payment.ts'
import { paymentErrors } from '../payment.errors.ts'
import { countPaymentsOfUnassigned } from '../payment.sql.ts'
import { Assignment, UnassignedPayment, UnassignedPaymentPath } from '../unassigned-payment.schema.ts'
import {
  decideUnassignedPayment,
  lockUnassignedPayment,
  unassignedPaymentFingerprint,
} from '../unassigned-payment.sql.ts'
import { viewUnassignedPayment } from '../unassigned-payment.view.ts'
import { unassignedPaymentDecision } from './unassigned-payment-decision.ts'

export const assignPayment = operatorOperation(
  {
    id: 'assignPayment',
    summary: 'Assign a payment to an order',
    description:
      'Books what is unassigned of a payment to an order, as if the payer had quoted its reference: the amount that ' +
      'the order needs is applied, and the rest is refunded. Assigning it to the same order again changes nothing. ' +
      'A second person confirms it, unless it is evident: the payment came from the IBAN of the investor account, ' +
      'which no other account has; the order lacks exactly this amount, and no other order does; account, IBAN and ' +
      'order are older than the payment; the names are alike; and you have neither created, approved nor changed the ' +
      'account or the order.',
    tag: 'Payments and refunds',
    method: 'POST',
    path: '/unassigned-payments/:paymentId/assign',
    duty: 'money',
    approval: 'policy',
    decides: unassignedPaymentDecision,
    bulk: true,
    idempotency: 'optional',
    params: UnassignedPaymentPath,
    body: Assignment,
    success: { status: 200, body: UnassignedPayment },
    errors: [
      requestErrors.not_found,
      paymentErrors.unassigned_payment_not_open,
      paymentErrors.payment_currency_mismatch,
      paymentErrors.payment_conflict,
    ],
  },
  async ({ params, body }, context) => {
    const { tenantId, tx, audit } = context
    const orderId = body.order_id.toLowerCase()
    const unassigned = await lockUnassignedForDecision(context, params.paymentId, { status: 'assigned', orderId })
    if (unassigned.status !== 'open') return viewUnassignedPayment(context, unassigned)
    const order = found(await lockOrder(tx, { tenantId, orderId }), 'Order not found.')
    const earlier = await countPaymentsOfUnassigned(tx, tenantId, unassigned.id)
    const { payment, order: paid } = await bookPart(context, unassigned, order, {
      amount: unassigned.unassignedAmount,
      number: earlier === 0 ? undefined : earlier + 1,
    })
    const isWhole = payment.amount.equals(unassigned.amount)
    const assigned = await decideUnassignedPayment(
      tx,
      { tenantId, ...params },
      {
        unassignedAmount: Money.zero(order.currency),
        ...(isWhole ? { status: 'assigned', orderId } : { status: 'split' }),
      },
    )
    audit({
      action: 'unassigned_payment.assigned',
      subject: { type: 'unassigned_payment', id: unassigned.id },
      before: { status: unassigned.status },
      after: { status: assigned.status, order_id: orderId, payment_id: payment.id, amount: payment.amount },
    })
    audit({
      action: 'payment.recorded',
      subject: { type: 'order', id: orderId },
      before: { status: order.status, paid_amount: order.paidAmount },
      after: { status: paid.status, paid_amount: paid.paidAmount, payment_id: payment.id, amount: payment.amount },
    })
    return viewUnassignedPayment(context, assigned)
  },
  {
    policy: 'payment_assignment',
    confirmDuty: 'release',
    subject: 'unassigned_payment',
    isNeeded: async ({ params, body }, context) => {
      const { tenantId, tx } = context
      const unassigned = await lockUnassignedPayment(tx, { tenantId, ...params })
      // The operation itself rejects a payment that does not exist, and changes nothing if it is not open.
      if (unassigned?.status !== 'open') return false
      return !(await isEvidentAssignment(context, unassigned, body.order_id.toLowerCase()))
    },
    amount: ({ params }, context) => unassignedAmountOf(context, params.paymentId),
    fingerprint: unassignedPaymentFingerprint,
  },
)
