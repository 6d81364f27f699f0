import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError, validationFailed } from '../../../platform/api/errors/errors.ts'
import { found } from '../../../platform/api/errors/found.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { Money } from '../../../platform/base/money.ts'
import { lockOrder } from '../../../sales/orders/order-transition.sql.ts'
import { bookPart } from '../book-part.ts'
import { lockUnassignedForDecision, unassignedAmountOf } from '../lock-unassigned-payment.ts'
import { paymentErrors } from '../payment.errors.ts'
import { amountOf } from '../payment.schema.ts'
import { countPaymentsOfUnassigned } from '../payment.sql.ts'
import { Split, UnassignedPaymentPath, UnassignedPaymentWithParts } from '../unassigned-payment.schema.ts'
import { decideUnassignedPayment, unassignedPaymentFingerprint } from '../unassigned-payment.sql.ts'
import { viewUnassignedPaymentWithParts } from '../unassigned-payment.view.ts'
import { unassignedPaymentDecision } from './unassigned-payment-decision.ts'

export const splitUnassignedPayment = operatorOperation(
  {
    id: 'splitUnassignedPayment',
    summary: 'Split an unassigned payment over orders',
    description:
      'Books a part of the payment to each order, as if the payer had paid each of them: the amount that an order ' +
      'needs is applied, and the rest of its part is refunded. What the parts leave stays unassigned and `open`.',
    tag: 'Payments and refunds',
    method: 'POST',
    path: '/unassigned-payments/:paymentId/split',
    duty: 'money',
    approval: 'policy',
    decides: unassignedPaymentDecision,
    idempotency: 'optional',
    params: UnassignedPaymentPath,
    body: Split,
    success: { status: 200, body: UnassignedPaymentWithParts },
    errors: [
      requestErrors.not_found,
      paymentErrors.unassigned_payment_not_open,
      paymentErrors.payment_split_invalid,
      paymentErrors.payment_currency_mismatch,
    ],
  },
  async ({ params, body }, context) => {
    const { tenantId, tx, audit } = context
    const unassigned = await lockUnassignedForDecision(context, params.paymentId, { status: 'split' })
    const { currency } = unassigned
    const parts = partsOf(body.parts, currency)
    const sum = parts.reduce((total, { amount }) => total.plus(amount), Money.zero(currency))
    const rest = unassigned.unassignedAmount.minus(sum)
    // A bank may report fractions of a minor unit, which no order can take.
    if (sum.exceeds(unassigned.unassignedAmount) || !rest.isWhole)
      throw new ApiError(
        paymentErrors.payment_split_invalid,
        `The parts are ${sum} ${currency}; only ` +
          `${unassigned.unassignedAmount} ${currency} of the payment are unassigned.`,
      )
    const earlier = await countPaymentsOfUnassigned(tx, tenantId, unassigned.id)
    // Locks the orders one by one, sorted by id, so that two splits cannot deadlock.
    for (const [index, { orderId, amount }] of parts.entries()) {
      const order = found(await lockOrder(tx, { tenantId, orderId }), `Order ${orderId} not found.`)
      const part = { amount, number: earlier + index + 1 }
      const { payment, order: paid } = await bookPart(context, unassigned, order, part)
      audit({
        action: 'payment.recorded',
        subject: { type: 'order', id: orderId },
        before: { status: order.status, paid_amount: order.paidAmount },
        after: { status: paid.status, paid_amount: paid.paidAmount, payment_id: payment.id, amount: payment.amount },
      })
    }
    const status = rest.isPositive ? 'open' : 'split'
    const split = await decideUnassignedPayment(tx, { tenantId, ...params }, { status, unassignedAmount: rest })
    audit({
      action: 'unassigned_payment.split',
      subject: { type: 'unassigned_payment', id: unassigned.id },
      before: { status: unassigned.status, unassigned_amount: unassigned.unassignedAmount },
      after: { status, unassigned_amount: rest, parts: body.parts },
    })
    return viewUnassignedPaymentWithParts(context, split)
  },
  {
    policy: 'payment_assignment',
    confirmDuty: 'release',
    subject: 'unassigned_payment',
    amount: ({ params }, context) => unassignedAmountOf(context, params.paymentId),
    fingerprint: unassignedPaymentFingerprint,
  },
)

/** Sorts the parts by order. Throws if an amount is not valid or an order occurs twice. */
function partsOf(
  given: readonly { order_id: string; amount: string }[],
  currency: string,
): { orderId: string; amount: Money }[] {
  const orderIds = given.map(({ order_id: orderId }) => orderId.toLowerCase())
  const parts = given.map(({ amount }, index) => ({
    orderId: orderIds[index] ?? '',
    amount: amountOf({ amount, currency }),
  }))
  const failures = parts.flatMap(({ orderId, amount }, index) => [
    ...(amount.isWhole && amount.isPositive
      ? []
      : [
          {
            detail: `The member amount must be more than 0, in whole minor units of ${currency}.`,
            pointer: `/parts/${index}/amount`,
          },
        ]),
    ...(orderIds.indexOf(orderId) === index
      ? []
      : [{ detail: 'The member order_id must not occur twice.', pointer: `/parts/${index}/order_id` }]),
  ])
  if (failures.length > 0) throw validationFailed(failures)
  return parts.toSorted((one, other) => (one.orderId < other.orderId ? -1 : 1))
}
