import { ApiError } from '../../platform/api/errors/errors.ts'
import { Money } from '../../platform/base/money.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { type EventData, type EventSums, recordEvent } from '../../records/events/event.sql.ts'
import type { EventType } from '../../records/events/event-types.ts'
import { recheckOrdersOfAccount, recheckOrdersOfOffering } from '../blockers/recheck-orders.ts'
import { offeringErrors } from '../offerings/offering.errors.ts'
import { insertRefund, type RefundReason } from '../refunds/refund.sql.ts'
import { orderErrors } from './order.errors.ts'
import { findSaleTerms } from './order.sql.ts'
import { viewOrderInEvent } from './order.view.ts'
import { canBecome, isPaidIn, keepsMoney, type OrderStatus, supplyEffect, transitionEvent } from './order-status.ts'
import { orderSums } from './order-sums.ts'
import { adjustSupply, countTowardsSoftCap, type OrderWithOffering, updateOrder } from './order-transition.sql.ts'

/** Columns that a caller may change together with the status. Refunds and units follow from the transition. */
export type OrderChange = Partial<
  Pick<
    OrderWithOffering,
    | 'paidAmount'
    | 'paidAt'
    | 'cancelledAt'
    | 'paymentDueAt'
    | 'mintWalletId'
    | 'reportedBlockers'
    | 'mintOpId'
    | 'mintFailures'
    | 'mintHoldReason'
  >
>

/**
 * Moves an order, whose row the caller has locked, to another status. All status changes go through this function, or
 * through transitionOrders for many that are minted. In the same transaction it reserves, releases or issues the units,
 * refunds money that the order no longer keeps and records the event. A transition that is not allowed is rejected and
 * changes nothing.
 */
export async function transitionOrder(
  tx: Transaction,
  order: OrderWithOffering,
  to: OrderStatus,
  change: OrderChange = {},
): Promise<OrderWithOffering> {
  const from = order.status
  if (!canBecome(from, to))
    throw new ApiError(orderErrors.order_not_in_state, `An order that is ${from} cannot become ${to}.`)
  const moved: OrderWithOffering = {
    ...order,
    ...change,
    status: to,
    paidAmount: keepsMoney(to) ? (change.paidAmount ?? order.paidAmount) : Money.zero(order.currency),
    paidAt: isPaidIn(to) ? (change.paidAt ?? order.paidAt) : null,
    // Fixed from READYTOMINT on, and chosen again each time the order becomes READYTOMINT.
    mintWalletId: isMintable(to) ? (change.mintWalletId ?? order.mintWalletId) : null,
    // When the order is paid again, blockers that remain are reported again.
    reportedBlockers: to === 'ORDERED' ? [] : (change.reportedBlockers ?? order.reportedBlockers),
  }
  const effect = supplyEffect(from, to)
  const [isMoved, areUnitsMoved] = await tx.batch(
    (tx) => updateOrder(tx, from, moved),
    (tx) => effect === 'none' || adjustSupply(tx, order, effect),
    (tx) => keepsMoney(to) || refundPaidAmount(tx, order, to === 'CANCELLED' ? 'cancelled' : 'not_paid_in_time'),
    // If the sum of the account's orders is limited, fewer or more of them count now.
    (tx) =>
      (effect === 'release' || effect === 'reserve') && order.hasInvestorLimit && recheckOrdersOfAccount(tx, order),
    (tx) => isPaidIn(from) !== isPaidIn(to) && order.isSoftCapMissing && fundOffering(tx, order, isPaidIn(to)),
    (tx) =>
      recordOrderEvent(
        tx,
        moved,
        transitionEvent(from, to),
        {
          previous_status: from,
          // An order that waits for payment again has a new deadline.
          ...(to === 'ORDERED' ? { payment_due_at: moved.paymentDueAt.toISOString() } : {}),
        },
        orderSums(moved, from, to),
      ),
  )
  if (!isMoved) throw new ApiError(orderErrors.order_not_in_state, `The order is no longer ${from}.`)
  if (!areUnitsMoved) throw await unitsNotAvailable(tx, order)
  return moved
}

async function fundOffering(tx: Transaction, order: OrderWithOffering, isPaid: boolean): Promise<void> {
  const isMet = await countTowardsSoftCap(tx, order, isPaid ? 'add' : 'remove')
  if (isMet) await recheckOrdersOfOffering(tx, order)
}

function isMintable(status: OrderStatus): boolean {
  return status === 'READYTOMINT' || status === 'MINTING' || status === 'MINTED'
}

async function unitsNotAvailable(tx: Transaction, order: OrderWithOffering): Promise<ApiError> {
  const terms = await findSaleTerms(tx, order)
  return terms?.status === 'OPEN'
    ? new ApiError(offeringErrors.offering_sold_out, 'The offering has fewer units left than the order needs.')
    : new ApiError(offeringErrors.offering_not_open, 'The offering is not open, so its units cannot be reserved again.')
}

async function refundPaidAmount(
  tx: Transaction,
  { tenantId, id, paidAmount }: OrderWithOffering,
  reason: RefundReason,
): Promise<void> {
  if (paidAmount.isPositive) await insertRefund(tx, tenantId, { orderId: id, reason, amount: paidAmount })
}

export function recordOrderEvent(
  tx: Transaction,
  order: OrderWithOffering,
  type: EventType,
  more: EventData = {},
  sums?: EventSums,
): Promise<void> {
  return recordEvent(tx, order.tenantId, { type, data: { ...viewOrderInEvent(order), ...more }, ...(sums && { sums }) })
}
