import { raiseAlarm } from '../../access/alarms/raise-alarm.ts'
import type { Logger } from '../../platform/base/log.ts'
import { counter, histogram } from '../../platform/base/metric.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { OrderStatus } from '../../sales/orders/order-status.ts'
import { lockOrders, type OrderWithOffering } from '../../sales/orders/order-transition.sql.ts'
import { transitionOrder } from '../../sales/orders/transition-order.ts'
import { transitionOrders } from '../../sales/orders/transition-orders.ts'
import { type LogOwner, selectMintedOrders, type TokenLog } from '../logs/token-log.sql.ts'

/** A finalized mint that contradicts the orders: an operator has to investigate. */
export interface MintAlarm {
  readonly orderId: string | null
  readonly problem: string
}

/**
 * The remaining steps to MINTED from each status. After a restore from a backup, orders may be behind the chain, and
 * the chain is right. Statuses that have released their reserved units, such as CANCELLED, have no steps.
 */
const stepsToMinted: Readonly<Partial<Record<OrderStatus, readonly OrderStatus[]>>> = {
  ORDERED: ['PAID', 'READYTOMINT', 'MINTING', 'MINTED'],
  PAID: ['READYTOMINT', 'MINTING', 'MINTED'],
  READYTOMINT: ['MINTING', 'MINTED'],
  MINTING: ['MINTED'],
  MINTED: [],
}

export interface MarkedMints {
  readonly alarms: readonly MintAlarm[]
  /** Payment times of the orders that became MINTED. */
  readonly paidAt: readonly Date[]
}

export const noMints: MarkedMints = { alarms: [], paidAt: [] }

/** Moves the orders of these OrderMinted logs to MINTED. Returns contradictions instead of failing. */
export async function markOrdersMinted(
  tx: Transaction,
  { tenantId, chain }: LogOwner,
  logs: readonly TokenLog[],
): Promise<MarkedMints> {
  const minted = logs.filter(({ kind }) => kind === 'order_minted').toSorted(byOrder)
  // When logs are read again, most orders are MINTED, and need not be locked one by one.
  const done = minted.length > 0 ? await selectMintedOrders(tx, tenantId, minted) : new Set()
  const mints = minted.filter(({ orderId }) => !done.has(orderId))
  const orderOf = await lockMintedOrders(tx, tenantId, mints)
  const orders = mints.map(orderOf)
  const judged = mints.map((mint, index) =>
    // A desk mints an order at most once, but a tenant may have had two desks.
    mint.orderId === mints[index - 1]?.orderId
      ? [{ orderId: mint.orderId, problem: 'minted twice' }]
      : contradictions(mint, orders[index]),
  )
  await moveToMinted(tx, new Map(mints.map((mint, index) => [orders[index], mint])))
  const alarms = judged.flat()
  if (alarms.length > 0) {
    const ids = alarms.map(({ orderId }) => orderId).filter((id) => id !== null)
    const data = { chain, order_ids: [...new Set(ids)].slice(0, alarmLinesMax), count: alarms.length }
    await raiseAlarm(tx, tenantId, { type: 'order.mint_contradicted', data, offeringId: null })
  }
  return {
    alarms,
    paidAt: orders.flatMap((order) => (order?.paidAt && stepsToMinted[order.status]?.length ? [order.paidAt] : [])),
  }
}

/** Locks the orders of these mints. Returns the order of a mint, unless it is of another offering. */
async function lockMintedOrders(
  tx: Transaction,
  tenantId: string,
  mints: readonly TokenLog[],
): Promise<(mint: TokenLog) => OrderWithOffering | undefined> {
  const ids = mints.flatMap(({ orderId }) => orderId ?? [])
  const locked = ids.length > 0 ? await lockOrders(tx, tenantId, ids) : []
  const byId = new Map(locked.map((order) => [order.id, order]))
  return ({ orderId, offeringId }) => {
    const order = byId.get(orderId ?? '')
    return order?.offeringId === offeringId ? order : undefined
  }
}

/** Moves orders to MINTED. Most are MINTING and need one step, which one statement makes. */
async function moveToMinted(
  tx: Transaction,
  mintOf: ReadonlyMap<OrderWithOffering | undefined, TokenLog>,
): Promise<void> {
  const minted = [...mintOf].flatMap(([order, mint]) => (order ? [{ order, mint }] : []))
  const minting = minted.filter(({ order }) => order.status === 'MINTING').map(({ order }) => order)
  const others = minted.filter(({ order }) => order.status !== 'MINTING')
  await transitionOrders(tx, minting, 'MINTED')
  await tx.each(others, async (tx, { order, mint }) => {
    let moved = order
    for (const next of stepsToMinted[order.status] ?? [])
      moved = await transitionOrder(tx, moved, next, next === 'PAID' ? { paidAt: mint.blockTimestamp } : {})
  })
}

function contradictions(mint: TokenLog, order: OrderWithOffering | undefined): MintAlarm[] {
  const alarm = (problem: string): MintAlarm => ({ orderId: mint.orderId, problem })
  if (!order) return [alarm('minted for an order that does not exist in the offering')]
  if (!stepsToMinted[order.status]) return [alarm(`minted although the order is ${order.status}`)]
  const alarms: MintAlarm[] = []
  if (order.status === 'ORDERED') alarms.push(alarm('minted although the order was not paid'))
  if (BigInt(order.units) !== mint.units) alarms.push(alarm('minted a different number of units than ordered'))
  return alarms
}

function byOrder(one: TokenLog, other: TokenLog): number {
  return (one.orderId ?? '').localeCompare(other.orderId ?? '')
}

const alarmCount = counter('indexer_mint_alarms', {
  description: 'Mints that contradict their order',
  labels: ['chain', 'cell'],
})

/** Called once for each chain and cell. */
export function startCountingMintAlarms(labels: { chain: string; cell: string }): void {
  alarmCount.add(0, labels)
}

const paidToMinted = histogram('order_paid_to_minted_seconds', {
  description: 'Time from the payment of an order to its final tokens',
  labels: ['chain', 'cell'],
  buckets: [15, 60, 120, 300, 600, 900, 1_800, 3_600, 21_600, 86_400],
})

/** Called after the commit, so that each mint counts once. Logs the first few alarms, with their total count. */
export function reportMints(
  { log, cell = '' }: { readonly log: Logger; readonly cell?: string | undefined },
  { tenantId, chain }: LogOwner,
  { alarms, paidAt }: MarkedMints,
): void {
  for (const at of paidAt) paidToMinted.record((Date.now() - at.getTime()) / 1000, { chain, cell })
  if (alarms.length === 0) return
  alarmCount.add(alarms.length, { chain, cell })
  for (const { orderId, problem } of alarms.slice(0, alarmLinesMax))
    log.error(
      { tenant_id: tenantId, chain, order_id: orderId, problem, count: alarms.length },
      'a mint contradicts its order',
    )
}

const alarmLinesMax = 10
