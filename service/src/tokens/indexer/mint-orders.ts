import { metrics } from '@opentelemetry/api'
import type { Logger } from '../../platform/base/log.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { moveOrder } from '../../sales/orders/move-order.ts'
import { type LivingOrder, lockOrder } from '../../sales/orders/order-life.sql.ts'
import type { OrderStatus } from '../../sales/orders/order-status.ts'
import { type LogOwner, listMintedOrders, type TokenLog } from './token-log.sql.ts'

/** A mint that is final and that our tables cannot agree with: a person has to look. */
export interface MintAlarm {
  readonly orderId: string | null
  readonly problem: string
}

/**
 * The steps that are still to come from each state. A database that was restored from a backup may be behind the chain,
 * and what the chain has minted is minted. Without its units reserved, or cancelled, an order cannot follow.
 */
const wayToMinted: Readonly<Partial<Record<OrderStatus, readonly OrderStatus[]>>> = {
  ORDERED: ['PAID', 'READYTOMINT', 'MINTING', 'MINTED'],
  PAID: ['READYTOMINT', 'MINTING', 'MINTED'],
  READYTOMINT: ['MINTING', 'MINTED'],
  MINTING: ['MINTED'],
  MINTED: [],
}

/** Takes the orders that these logs say are minted to their end. Tells what does not fit instead of stopping at it. */
export async function mintOrders(
  tx: Transaction,
  { tenantId }: LogOwner,
  logs: readonly TokenLog[],
): Promise<MintAlarm[]> {
  const told = logs.filter(({ kind }) => kind === 'order_minted').toSorted(byOrder)
  // Where history is read again most are at their end already, and are not asked for one by one.
  const done = told.length > 0 ? await listMintedOrders(tx, tenantId, told) : new Set()
  const mints = told.filter(({ orderId }) => !done.has(orderId))
  // All rows are asked for in one round trip, in the order of their ids, and so are all steps.
  const orders = await Promise.all(
    mints.map(({ orderId, offeringId }) => lockOrder(tx, { tenantId, orderId: orderId ?? '', offeringId })),
  )
  const alarms = await Promise.all(
    mints.map(async (mint, place) =>
      // A desk mints an order once; two desks of a tenant might.
      mint.orderId === mints[place - 1]?.orderId
        ? [{ orderId: mint.orderId, problem: 'minted twice' }]
        : mintOrder(tx, mint, orders[place]),
    ),
  )
  return alarms.flat()
}

async function mintOrder(tx: Transaction, mint: TokenLog, order: LivingOrder | undefined): Promise<MintAlarm[]> {
  const alarm = (problem: string): MintAlarm => ({ orderId: mint.orderId, problem })
  if (!order) return [alarm('minted for an order that the offering does not have')]
  const way = wayToMinted[order.status]
  if (!way) return [alarm(`minted although the order is ${order.status}`)]
  const alarms: MintAlarm[] = []
  if (order.status === 'ORDERED') alarms.push(alarm('minted although the order was not paid'))
  if (BigInt(order.units) !== mint.units) alarms.push(alarm('minted with other units than were ordered'))
  let moved = order
  for (const next of way)
    moved = await moveOrder(tx, moved, next, next === 'PAID' ? { paidAt: mint.blockTimestamp } : {})
  return alarms
}

function byOrder(one: TokenLog, other: TokenLog): number {
  return (one.orderId ?? '').localeCompare(other.orderId ?? '')
}

const alarmCount = metrics.getMeter('indexer').createCounter('indexer_mint_alarms', {
  description: 'Mints on a chain that do not fit the order they are for',
})

/** After the commit, so that it is told once. Of many only the first few, with their number. */
export function tellAlarms(log: Logger, { tenantId, chain }: LogOwner, alarms: readonly MintAlarm[]): void {
  if (alarms.length === 0) return
  alarmCount.add(alarms.length, { chain })
  for (const { orderId, problem } of alarms.slice(0, alarmLinesMax))
    log.error(
      { tenant_id: tenantId, chain, order_id: orderId, problem, count: alarms.length },
      'a mint does not fit its order',
    )
}

const alarmLinesMax = 10
