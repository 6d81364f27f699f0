import { ApiError, validationFailed } from '../../platform/api/errors/errors.ts'
import { newRowId } from '../../platform/base/ids.ts'
import { fromMinorUnits, toMinorUnits } from '../../platform/base/money.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { recordEvent } from '../../records/events/event.sql.ts'
import { announceGateChange } from '../../sales/accounts/recheck-mint-preconditions.ts'
import { coins } from '../../sales/orders/mint-preconditions.ts'
import { moveOrder, tellOfOrder } from '../../sales/orders/move-order.ts'
import { type LivingOrder, setPaymentProvider, updateOrder } from '../../sales/orders/order-life.sql.ts'
import { insertRefund } from '../../sales/refunds/refund.sql.ts'
import { paymentErrors } from './payment.errors.ts'
import { findPaymentByReference, insertPayment, type NewPaymentRow, type PaymentRow } from './payment.sql.ts'
import { splitPayment } from './payment-split.ts'

export type ReceivedPayment = Omit<NewPaymentRow, 'tenantId' | 'id' | 'orderId'>

/**
 * Money has arrived for an order whose row the caller holds: by hand, from a bank statement or from a provider. It is
 * recorded once however often it is told of; what the order needs is applied to it and the rest is owed back, in one
 * transaction, so that money in is at any moment what is applied plus what is owed or was paid back.
 */
export async function receivePayment(
  tx: Transaction,
  order: LivingOrder,
  received: ReceivedPayment,
): Promise<{ payment: PaymentRow; order: LivingOrder; isNew: boolean }> {
  const { tenantId, currency } = order
  const amount = requireAmount(received, order)
  const inserted = await insertPayment(tx, {
    ...received,
    tenantId,
    id: newRowId(),
    orderId: order.id,
    amount: fromMinorUnits(amount, currency),
  })
  if (!inserted) return { payment: await requireSame(tx, order, received, amount), order, isNew: false }

  const { applied, owed, reason, isPaid } = splitPayment(order.status, {
    amount,
    total: coins(order.totalAmount, currency),
    paid: coins(order.paidAmount, currency),
    tolerance: coins(order.paymentTolerance, currency),
  })
  const paidAmount = fromMinorUnits(coins(order.paidAmount, currency) + applied, currency)
  const [, moved] = await Promise.all([
    tellOfPayment(tx, order, inserted, applied),
    isPaid
      ? moveOrder(tx, order, 'PAID', { paidAmount, paidAt: received.receivedAt })
      : partPay(tx, { ...order, paidAmount }, applied),
    owed > 0n &&
      insertRefund(tx, tenantId, { orderId: order.id, reason, amount: fromMinorUnits(owed, currency), currency }),
    isPaid && announceGateChange(tx, order),
    // What somebody recorded by hand says nothing of how it was paid.
    received.provider !== 'manual' && setPaymentProvider(tx, order, received.provider),
  ])
  return { payment: inserted, order: moved, isNew: true }
}

async function partPay(tx: Transaction, order: LivingOrder, applied: bigint): Promise<LivingOrder> {
  if (applied === 0n) return order
  const [isMoved] = await Promise.all([
    updateOrder(tx, order.status, order),
    order.status === 'ORDERED' && tellOfOrder(tx, order, 'order.part_paid', { previous_status: order.status }),
  ])
  if (!isMoved) throw new Error('an order changed although its row was held')
  return order
}

function tellOfPayment(tx: Transaction, order: LivingOrder, payment: PaymentRow, applied: bigint): Promise<void> {
  return recordEvent(tx, order.tenantId, {
    type: 'payment.received',
    data: {
      payment_id: payment.id,
      order_id: order.id,
      provider: payment.provider,
      amount: Number(payment.amount),
      applied_amount: Number(fromMinorUnits(applied, order.currency)),
      currency: payment.currency,
    },
  })
}

function requireAmount({ amount, currency }: ReceivedPayment, order: LivingOrder): bigint {
  if (currency !== order.currency)
    throw new ApiError(
      paymentErrors.payment_currency_mismatch,
      `The payment is in ${currency}, the order in ${order.currency}. It was not recorded.`,
    )
  const minorUnits = toMinorUnits(amount, currency)
  if (minorUnits === undefined || minorUnits === 0n)
    throw validationFailed([
      { detail: `The member amount must be more than 0, in whole coins of ${currency}.`, pointer: '/amount' },
    ])
  return minorUnits
}

/** The payment that was recorded under this reference before, if it is the same. */
async function requireSame(
  tx: Transaction,
  order: LivingOrder,
  received: ReceivedPayment,
  amount: bigint,
): Promise<PaymentRow> {
  const known = await findPaymentByReference(tx, { tenantId: order.tenantId, ...received })
  if (!known) throw new Error('a payment is neither new nor known')
  const isSame = known.order_id === order.id && coins(known.amount, known.currency) === amount
  if (isSame && known.currency === received.currency) return known
  throw new ApiError(
    paymentErrors.payment_conflict,
    `The reference is that of payment ${known.id}: ${known.amount} ${known.currency} for order ${known.order_id}.`,
  )
}
