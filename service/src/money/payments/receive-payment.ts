import { ApiError, validationFailed } from '../../platform/api/errors/errors.ts'
import { newRowId } from '../../platform/base/ids.ts'
import type { Money } from '../../platform/base/money.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { recordEvent } from '../../records/events/event.sql.ts'
import { indexTerms, type SubjectTerms } from '../../records/search/search-term.sql.ts'
import { wholeTerm } from '../../records/search/search-terms.ts'
import { enqueueRecheck } from '../../sales/blockers/recheck-orders.ts'
import { type OrderWithOffering, setPaymentProvider, updateOrder } from '../../sales/orders/order-transition.sql.ts'
import { recordOrderEvent, transitionOrder } from '../../sales/orders/transition-order.ts'
import { insertRefund } from '../../sales/refunds/refund.sql.ts'
import { paymentSums } from '../../sales/summaries/sum-kind.ts'
import { paymentErrors } from './payment.errors.ts'
import { findPaymentByReference, insertPayment, type NewPaymentRow, type PaymentRow } from './payment.sql.ts'
import { viewPaymentReceived } from './payment.view.ts'
import type { SealedPayer } from './payment-payer.ts'
import { splitPayment } from './payment-split.ts'

export interface ReceivedPayment extends Omit<NewPaymentRow, 'tenantId' | 'id' | 'orderId' | 'payer'> {
  /** Payer whom refunds of this payment go back to, if known. */
  payer?: SealedPayer | undefined
}

/**
 * Records a payment for an order whose row the caller has locked. Idempotent on (provider, reference). Applies what the
 * order needs and refunds the rest in the same transaction, so that at any time the sum of the payments is the amount
 * applied plus all refunds.
 */
export async function receivePayment(
  tx: Transaction,
  order: OrderWithOffering,
  received: ReceivedPayment,
): Promise<{ payment: PaymentRow; order: OrderWithOffering; isNew: boolean }> {
  const { tenantId } = order
  const amount = requireAmount(received, order)
  const inserted = await insertPayment(tx, {
    ...received,
    tenantId,
    id: received.payer?.paymentId ?? newRowId(),
    payer: received.payer?.box ?? null,
    orderId: order.id,
    amount,
  })
  if (!inserted) return { payment: await requireSame(tx, order, received), order, isNew: false }

  const { applied, refunded, reason, isPaid } = splitPayment(order, amount)
  const paidAmount = order.paidAmount.plus(applied)
  const [, moved] = await tx.batch(
    (tx) => recordPaymentReceived(tx, order, inserted, applied),
    (tx) =>
      isPaid
        ? transitionOrder(tx, order, 'PAID', { paidAmount, paidAt: received.receivedAt })
        : applyPartPayment(tx, { ...order, paidAmount }, applied),
    (tx) =>
      refunded.isPositive &&
      insertRefund(tx, tenantId, { orderId: order.id, paymentId: inserted.id, reason, amount: refunded }),
    (tx) => isPaid && enqueueRecheck(tx, order),
    (tx) => indexTerms(tx, tenantId, [paymentTerms(inserted, received.payer?.terms ?? [])]),
    (tx) => received.provider !== 'manual' && setPaymentProvider(tx, order, received.provider),
  )
  return { payment: inserted, order: moved, isNew: true }
}

/** Builds the search terms of a payment. `payer` is the term of the payer's IBAN. */
export function paymentTerms(
  { id, providerReference }: Pick<PaymentRow, 'id' | 'providerReference'>,
  payer: readonly string[],
): SubjectTerms {
  return { kind: 'payment', subjectId: id, terms: [...wholeTerm(providerReference), ...payer] }
}

async function applyPartPayment(tx: Transaction, order: OrderWithOffering, applied: Money): Promise<OrderWithOffering> {
  if (applied.isZero) return order
  const [isUpdated] = await tx.batch(
    (tx) => updateOrder(tx, order.status, order),
    (tx) =>
      order.status === 'ORDERED' && recordOrderEvent(tx, order, 'order.part_paid', { previous_status: order.status }),
  )
  if (!isUpdated) throw new Error('an order changed although its row was locked')
  return order
}

function recordPaymentReceived(
  tx: Transaction,
  order: OrderWithOffering,
  payment: PaymentRow,
  applied: Money,
): Promise<void> {
  return recordEvent(tx, order.tenantId, {
    type: 'payment.received',
    data: viewPaymentReceived(payment, applied),
    sums: paymentSums(order.offeringId, 'received', payment),
  })
}

function requireAmount({ amount }: ReceivedPayment, order: OrderWithOffering): Money {
  if (amount.currency !== order.currency)
    throw new ApiError(
      paymentErrors.payment_currency_mismatch,
      `The payment is in ${amount.currency}, the order in ${order.currency}. The payment was not recorded.`,
    )
  if (amount.isWhole && !amount.isZero) return amount.normalized()
  const detail = `The member amount must be more than 0, in whole minor units of ${amount.currency}.`
  throw validationFailed([{ detail, pointer: '/amount' }])
}

/** Returns the payment recorded earlier under this reference. Throws if it differs from this one. */
async function requireSame(tx: Transaction, order: OrderWithOffering, received: ReceivedPayment): Promise<PaymentRow> {
  const known = await findPaymentByReference(tx, { tenantId: order.tenantId, ...received })
  if (!known) throw new Error('a payment was neither inserted nor found')
  if (known.orderId === order.id && known.amount.equals(received.amount)) return known
  throw new ApiError(
    paymentErrors.payment_conflict,
    `Payment ${known.id} has this reference: ${known.amount} ${known.currency} for order ${known.orderId}.`,
  )
}
