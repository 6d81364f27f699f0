import type { orderStatuses } from './order.schema.ts'

export type OrderStatus = (typeof orderStatuses)[number]

/** What an order can become from each of its states. A state that is not named here cannot be reached from there. */
const successors: Record<OrderStatus, readonly OrderStatus[]> = {
  ORDERED: ['PAID', 'NOPAYMENT', 'CANCELLED'],
  NOPAYMENT: ['PAID', 'ORDERED', 'CANCELLED'],
  PAID: ['READYTOMINT', 'CANCELLED'],
  READYTOMINT: ['PAID', 'MINTING', 'CANCELLED'],
  // A mint that provably did not happen goes back.
  MINTING: ['MINTED', 'READYTOMINT'],
  MINTED: [],
  CANCELLED: [],
}

export function canBecome(from: OrderStatus, to: OrderStatus): boolean {
  return successors[from].includes(to)
}

/** Whether an order in this state holds units of the offering's supply that are not tokens yet. */
export function holdsReservation(status: OrderStatus): boolean {
  return status !== 'NOPAYMENT' && status !== 'MINTED' && status !== 'CANCELLED'
}
