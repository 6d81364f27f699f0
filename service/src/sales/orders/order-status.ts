import type { EventType } from '../../records/events/event-types.ts'
import type { orderStatuses } from './order.schema.ts'

export type OrderStatus = (typeof orderStatuses)[number]

/** One way from a state to another: what brings it about, and what is told of it. */
interface Step {
  readonly to: OrderStatus
  readonly event: EventType
  /** For docs/order-life.md, which is made of this table. */
  readonly by: string
  readonly when: string
}

const cancelled: Step = {
  to: 'CANCELLED',
  event: 'order.cancelled',
  by: 'integrator or operator',
  when: 'it is cancelled before minting is planned',
}

/** What an order can become from each of its states. A state that is not named here cannot be reached from there. */
export const steps: Readonly<Record<OrderStatus, readonly Step[]>> = {
  ORDERED: [
    { to: 'PAID', event: 'order.paid', by: 'payment', when: 'what was paid reaches the total, less the tolerance' },
    { to: 'NOPAYMENT', event: 'order.not_paid_in_time', by: 'deadline', when: 'it is not paid when payment is due' },
    cancelled,
  ],
  NOPAYMENT: [
    { to: 'PAID', event: 'order.paid', by: 'operator', when: 'late money is accepted and the units are still there' },
    { to: 'ORDERED', event: 'order.extended', by: 'operator', when: 'it gets more time and the units are still there' },
    cancelled,
  ],
  PAID: [
    { to: 'READYTOMINT', event: 'order.ready_to_mint', by: 'gate', when: 'nothing is missing any more' },
    cancelled,
  ],
  READYTOMINT: [
    { to: 'PAID', event: 'order.gate_lost', by: 'gate', when: 'an approval or the wallet is lost' },
    { to: 'MINTING', event: 'order.minting', by: 'settlement', when: 'it is planned into a mint' },
    cancelled,
  ],
  MINTING: [
    { to: 'MINTED', event: 'order.minted', by: 'settlement', when: 'the block of its mint is final' },
    { to: 'READYTOMINT', event: 'order.mint_failed', by: 'settlement', when: 'its mint provably did not happen' },
  ],
  MINTED: [],
  CANCELLED: [],
}

export function canBecome(from: OrderStatus, to: OrderStatus): boolean {
  return steps[from].some((step) => step.to === to)
}

/** What is told of a step that is allowed. */
export function eventOf(from: OrderStatus, to: OrderStatus): EventType {
  const step = steps[from].find((one) => one.to === to)
  if (!step) throw new Error(`an order that is ${from} cannot become ${to}`)
  return step.event
}

/** Whether an order in this state holds units of the offering's supply that are not tokens yet. */
export function holdsReservation(status: OrderStatus): boolean {
  return status !== 'NOPAYMENT' && status !== 'MINTED' && status !== 'CANCELLED'
}

/** What a step does to the offering's supply. */
export function supplyEffect(from: OrderStatus, to: OrderStatus): 'reserve' | 'release' | 'issue' | 'none' {
  if (to === 'MINTED') return 'issue'
  if (holdsReservation(from) === holdsReservation(to)) return 'none'
  return holdsReservation(to) ? 'reserve' : 'release'
}

/** Whether what has been paid stays with an order in this state; else it is owed back. */
export function keepsMoney(status: OrderStatus): boolean {
  return status !== 'NOPAYMENT' && status !== 'CANCELLED'
}
