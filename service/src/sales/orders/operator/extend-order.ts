import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError, validationFailed } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { fromMinorUnits } from '../../../platform/base/money.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import { announceGateChange } from '../../accounts/recheck-mint-preconditions.ts'
import { offeringErrors } from '../../offerings/offering.errors.ts'
import { coins } from '../mint-preconditions.ts'
import { moveOrder, tellOfOrder } from '../move-order.ts'
import { orderErrors } from '../order.errors.ts'
import { type LivingOrder, lockOrder, updateOrder } from '../order-life.sql.ts'
import { oweExcess, takeBackRefunds } from '../take-back-refunds.ts'
import { OperatorOrder, OperatorOrderPath, OrderExtension } from './operator-order.schema.ts'
import { readOperatorOrder } from './operator-order.view.ts'

export const extendOrder = operatorOperation(
  {
    id: 'extendOrder',
    summary: 'Give an order more time',
    description:
      'Moves the deadline of an order that is not paid yet. One that was not paid in time gets its units back, if ' +
      'they are still there, and what was paid for it and not sent back counts again.',
    tag: 'Orders',
    method: 'POST',
    path: '/orders/:orderId/extend',
    role: 'operator',
    idempotency: 'optional',
    params: OperatorOrderPath,
    body: OrderExtension,
    success: { status: 200, body: OperatorOrder },
    errors: [
      requestErrors.not_found,
      orderErrors.order_not_in_state,
      offeringErrors.offering_not_open,
      offeringErrors.offering_sold_out,
    ],
  },
  async ({ params, body }, { tenantId, tx, now, audit }) => {
    const key = { tenantId, ...params }
    const paymentDueAt = new Date(body.payment_due_at)
    if (paymentDueAt <= now)
      throw validationFailed([{ detail: 'The member payment_due_at must lie ahead.', pointer: '/payment_due_at' }])
    const order = await lockOrder(tx, key)
    if (!order) throw new ApiError(requestErrors.not_found, 'There is no such order.')
    const extended = await extend(tx, order, paymentDueAt, now)
    audit({
      action: 'order.extended',
      subject: { type: 'order', id: order.id },
      before: { status: order.status, payment_due_at: order.paymentDueAt },
      after: { status: extended.status, payment_due_at: paymentDueAt },
    })
    return readOperatorOrder(tx, key)
  },
)

async function extend(tx: Transaction, order: LivingOrder, paymentDueAt: Date, now: Date): Promise<LivingOrder> {
  if (order.status === 'ORDERED') {
    const extended = { ...order, paymentDueAt }
    await Promise.all([
      updateOrder(tx, 'ORDERED', extended),
      tellOfOrder(tx, extended, 'order.extended', { previous_status: 'ORDERED' }),
    ])
    return extended
  }
  if (order.status !== 'NOPAYMENT')
    throw new ApiError(orderErrors.order_not_in_state, `An order that is ${order.status} needs no more time.`)
  const { currency } = order
  const [total, tolerance] = [coins(order.totalAmount, currency), coins(order.paymentTolerance, currency)]
  const money = await takeBackRefunds(tx, order, now)
  const paidAmount = fromMinorUnits(money < total ? money : total, currency)
  const reopened = await moveOrder(tx, order, 'ORDERED', { paymentDueAt, paidAmount })
  if (money < total - tolerance) return reopened
  // All of it came late, so there is nothing left to wait for.
  const [paid] = await Promise.all([
    moveOrder(tx, reopened, 'PAID', { paidAt: now }),
    oweExcess(tx, order, money - total),
    announceGateChange(tx, order),
  ])
  return paid
}
