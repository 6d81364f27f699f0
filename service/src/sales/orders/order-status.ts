import type { EventType } from '../../records/events/event-types.ts'
import type { orderStatuses } from './order.schema.ts'

export type OrderStatus = (typeof orderStatuses)[number]

interface OrderTransition {
  readonly to: OrderStatus
  /** Event that the transition records. */
  readonly event: EventType
  /** Trigger and time of the transition, for docs/guides/order-life.md, which is generated from this table. */
  readonly by: string
  readonly when: string
}

const cancelled: OrderTransition = {
  to: 'CANCELLED',
  event: 'order.cancelled',
  by: 'integrator or operator',
  when: 'the order is cancelled before it is included in a mint',
}

const paymentReversed: OrderTransition = {
  to: 'ORDERED',
  event: 'order.payment_reversed',
  by: 'bank or operator',
  when: 'the bank or an operator reverses a payment, and the rest no longer covers the total, less the tolerance',
}

/** Transitions out of each status. Any other transition is not allowed. */
export const orderTransitions: Readonly<Record<OrderStatus, readonly OrderTransition[]>> = {
  ORDERED: [
    { to: 'PAID', event: 'order.paid', by: 'payment', when: 'the amount paid reaches the total, less the tolerance' },
    { to: 'NOPAYMENT', event: 'order.not_paid_in_time', by: 'deadline', when: 'the payment deadline passes' },
    cancelled,
  ],
  NOPAYMENT: [
    {
      to: 'PAID',
      event: 'order.paid',
      by: 'operator',
      when: 'an operator accepts a late payment and the units are still available',
    },
    {
      to: 'ORDERED',
      event: 'order.extended',
      by: 'operator',
      when: 'an operator extends the deadline and the units are still available',
    },
    cancelled,
  ],
  PAID: [
    {
      to: 'READYTOMINT',
      event: 'order.ready_to_mint',
      by: 'mint preconditions',
      when: 'all mint preconditions are met',
    },
    paymentReversed,
    cancelled,
  ],
  READYTOMINT: [
    {
      to: 'PAID',
      event: 'order.mint_preconditions_lost',
      by: 'mint preconditions',
      when: 'the approval or the wallet is no longer valid',
    },
    { to: 'MINTING', event: 'order.minting', by: 'minting', when: 'the order is included in a mint' },
    paymentReversed,
    cancelled,
  ],
  MINTING: [
    { to: 'MINTED', event: 'order.minted', by: 'minting', when: 'the block of its mint is finalized' },
    { to: 'READYTOMINT', event: 'order.mint_failed', by: 'minting', when: 'its mint provably did not happen' },
  ],
  MINTED: [],
  CANCELLED: [],
}

/** Returns true if something can still block the order: it is neither being minted nor final. */
export function canHaveBlockers(status: OrderStatus): boolean {
  return status !== 'MINTING' && status !== 'MINTED' && status !== 'CANCELLED'
}

export function canBecome(from: OrderStatus, to: OrderStatus): boolean {
  return orderTransitions[from].some((transition) => transition.to === to)
}

export function transitionEvent(from: OrderStatus, to: OrderStatus): EventType {
  const transition = orderTransitions[from].find((one) => one.to === to)
  if (!transition) throw new Error(`an order that is ${from} cannot become ${to}`)
  return transition.event
}

/** Returns true if an order in this status has units reserved in the offering's supply that are not minted yet. */
export function reservesUnits(status: OrderStatus): boolean {
  return status !== 'NOPAYMENT' && status !== 'MINTED' && status !== 'CANCELLED'
}

/** Returns the effect of a transition on the offering's supply. */
export function supplyEffect(from: OrderStatus, to: OrderStatus): 'reserve' | 'release' | 'issue' | 'none' {
  if (to === 'MINTED') return 'issue'
  if (reservesUnits(from) === reservesUnits(to)) return 'none'
  return reservesUnits(to) ? 'reserve' : 'release'
}

/** Returns true if an order in this status keeps the money paid for it. Otherwise the money is refunded. */
export function keepsMoney(status: OrderStatus): boolean {
  return status !== 'NOPAYMENT' && status !== 'CANCELLED'
}

/** Returns true if an order in this status is paid. Otherwise it has no time of payment, but may be partly paid. */
export function isPaidIn(status: OrderStatus): boolean {
  return keepsMoney(status) && status !== 'ORDERED'
}
