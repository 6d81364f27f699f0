import { ApiError } from '../../platform/api/errors/errors.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { type EventData, recordEvent } from '../../records/events/event.sql.ts'
import type { EventType } from '../../records/events/event-types.ts'
import { offeringErrors } from '../offerings/offering.errors.ts'
import { insertRefund, type RefundReason } from '../refunds/refund.sql.ts'
import { coins } from './mint-preconditions.ts'
import { orderErrors } from './order.errors.ts'
import { findOfferingTerms } from './order.sql.ts'
import { type LivingOrder, moveUnits, updateOrder } from './order-life.sql.ts'
import { canBecome, eventOf, keepsMoney, type OrderStatus, supplyEffect } from './order-status.ts'

/** What a step may change beside the state; the money and the units follow from the step itself. */
export type OrderChange = Partial<
  Pick<
    LivingOrder,
    | 'paidAmount'
    | 'paidAt'
    | 'cancelledAt'
    | 'paymentDueAt'
    | 'mintWalletId'
    | 'toldBlockers'
    | 'mintOpId'
    | 'mintFailures'
    | 'heldReason'
  >
>

/**
 * Takes an order, whose row the caller holds, to another state: the only place that does. Its units are reserved,
 * released or issued, money that it no longer keeps is owed back, and its event is recorded, all in this transaction.
 * A step that is not allowed is refused and leaves nothing behind.
 */
export async function moveOrder(
  tx: Transaction,
  order: LivingOrder,
  to: OrderStatus,
  change: OrderChange = {},
): Promise<LivingOrder> {
  const from = order.status
  if (!canBecome(from, to))
    throw new ApiError(orderErrors.order_not_in_state, `An order that is ${from} cannot become ${to}.`)
  const moved: LivingOrder = {
    ...order,
    ...change,
    status: to,
    paidAmount: keepsMoney(to) ? (change.paidAmount ?? order.paidAmount) : '0',
    // Fixed while the order waits for its mint, and chosen anew whenever it comes there again.
    mintWalletId: to === 'PAID' || to === 'CANCELLED' ? null : (change.mintWalletId ?? order.mintWalletId),
  }
  const effect = supplyEffect(from, to)
  const [isMoved, isThere] = await Promise.all([
    updateOrder(tx, from, moved),
    effect === 'none' || moveUnits(tx, order, effect),
    keepsMoney(to) || oweBack(tx, order, to === 'CANCELLED' ? 'cancelled' : 'not_paid_in_time'),
    tellOfOrder(tx, moved, eventOf(from, to), { previous_status: from }),
  ])
  if (!isMoved) throw new ApiError(orderErrors.order_not_in_state, `The order is no longer ${from}.`)
  if (!isThere) throw await missingUnits(tx, order)
  return moved
}

async function missingUnits(tx: Transaction, order: LivingOrder): Promise<ApiError> {
  const terms = await findOfferingTerms(tx, order)
  return terms?.status === 'OPEN'
    ? new ApiError(offeringErrors.offering_sold_out, 'The offering has fewer units left than the order needs.')
    : new ApiError(offeringErrors.offering_not_open, 'The offering is not open, so its units cannot be reserved again.')
}

/** What was paid for the order and is not kept. */
async function oweBack(
  tx: Transaction,
  { tenantId, id, paidAmount, currency }: LivingOrder,
  reason: RefundReason,
): Promise<void> {
  if (coins(paidAmount, currency) > 0n)
    await insertRefund(tx, tenantId, { orderId: id, reason, amount: paidAmount, currency })
}

export function tellOfOrder(tx: Transaction, order: LivingOrder, type: EventType, more: EventData = {}): Promise<void> {
  const data = {
    order_id: order.id,
    offering_id: order.offeringId,
    account_id: order.accountId,
    status: order.status,
    units: order.units,
    total_amount: Number(order.totalAmount),
    paid_amount: Number(order.paidAmount),
    currency: order.currency,
    ...more,
  }
  return recordEvent(tx, order.tenantId, { type, data })
}
