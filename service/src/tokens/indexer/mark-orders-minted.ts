import { metrics } from '@opentelemetry/api'
import type { Logger } from '../../platform/base/log.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { moveOrder } from '../../sales/orders/move-order.ts'
import type { OrderStatus } from '../../sales/orders/order-status.ts'
import { lockOrder, type OrderWithOffering } from '../../sales/orders/order-transition.sql.ts'
import { type LogOwner, selectMintedOrders, type TokenLog } from './token-log.sql.ts'

/** A finalized mint that contradicts the orders: an operator has to investigate. */
export interface MintAlarm {
  readonly orderId: string | null
  readonly problem: string
}

/**
 * The remaining steps to MINTED from each status. After a restore from a backup, orders may be behind the chain, and
 * the chain is right. There are none from statuses that have released their reserved units, such as CANCELLED.
 */
const stepsToMinted: Readonly<Partial<Record<OrderStatus, readonly OrderStatus[]>>> = {
  ORDERED: ['PAID', 'READYTOMINT', 'MINTING', 'MINTED'],
  PAID: ['READYTOMINT', 'MINTING', 'MINTED'],
  READYTOMINT: ['MINTING', 'MINTED'],
  MINTING: ['MINTED'],
  MINTED: [],
}

/** Moves the orders of these OrderMinted logs to MINTED. Returns contradictions instead of failing. */
export async function markOrdersMinted(
  tx: Transaction,
  { tenantId }: LogOwner,
  logs: readonly TokenLog[],
): Promise<MintAlarm[]> {
  const minted = logs.filter(({ kind }) => kind === 'order_minted').toSorted(byOrder)
  // When logs are read again, most orders are MINTED, and need not be locked one by one.
  const done = minted.length > 0 ? await selectMintedOrders(tx, tenantId, minted) : new Set()
  const mints = minted.filter(({ orderId }) => !done.has(orderId))
  // One round trip locks all orders, by id, and one per step moves them.
  const orders = await Promise.all(
    mints.map(({ orderId, offeringId }) => lockOrder(tx, { tenantId, orderId: orderId ?? '', offeringId })),
  )
  const alarms = await Promise.all(
    mints.map(async (mint, index) =>
      // A desk mints an order at most once, but a tenant may have had two desks.
      mint.orderId === mints[index - 1]?.orderId
        ? [{ orderId: mint.orderId, problem: 'minted twice' }]
        : markOrderMinted(tx, mint, orders[index]),
    ),
  )
  return alarms.flat()
}

async function markOrderMinted(
  tx: Transaction,
  mint: TokenLog,
  order: OrderWithOffering | undefined,
): Promise<MintAlarm[]> {
  const alarm = (problem: string): MintAlarm => ({ orderId: mint.orderId, problem })
  if (!order) return [alarm('minted for an order that does not exist in the offering')]
  const steps = stepsToMinted[order.status]
  if (!steps) return [alarm(`minted although the order is ${order.status}`)]
  const alarms: MintAlarm[] = []
  if (order.status === 'ORDERED') alarms.push(alarm('minted although the order was not paid'))
  if (BigInt(order.units) !== mint.units) alarms.push(alarm('minted a different number of units than ordered'))
  let moved = order
  for (const next of steps)
    moved = await moveOrder(tx, moved, next, next === 'PAID' ? { paidAt: mint.blockTimestamp } : {})
  return alarms
}

function byOrder(one: TokenLog, other: TokenLog): number {
  return (one.orderId ?? '').localeCompare(other.orderId ?? '')
}

const alarmCount = metrics.getMeter('indexer').createCounter('indexer_mint_alarms', {
  description: 'Mints that contradict their order',
})

/** Called after the commit, so that each alarm is logged once. Logs the first few, with the total count. */
export function reportMintAlarms(log: Logger, { tenantId, chain }: LogOwner, alarms: readonly MintAlarm[]): void {
  if (alarms.length === 0) return
  alarmCount.add(alarms.length, { chain })
  for (const { orderId, problem } of alarms.slice(0, alarmLinesMax))
    log.error(
      { tenant_id: tenantId, chain, order_id: orderId, problem, count: alarms.length },
      'a mint contradicts its order',
    )
}

const alarmLinesMax = 10
