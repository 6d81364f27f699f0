import { ordersMintedOnChain } from '../orders-minted-on-chain.ts'
import type { DrillBank } from './drill-bank.ts'
import type { DrillLoad } from './drill-load.ts'
import type { DrillWorld } from './drill-world.ts'

export interface Verdict {
  orders: number
  mintedOnChain: number
  mintedTwice: number
  /** Mints for an order that the restored database does not have, or that is cancelled there. */
  mintedWithoutOrder: number
  alarms: number
  transfers: number
  refundedTwice: number
  problems: string[]
}

const price = 12.5

/** Compares what the chain and the bank have done with what the restored service reports. */
export async function judgeDrill(
  world: DrillWorld,
  { bank, load }: { bank: DrillBank; load: DrillLoad },
): Promise<Verdict> {
  const problems: string[] = []
  const statuses = new Map(
    (await world.rows<{ id: string; status: string }>('select id, status from cell.token_order')).map(
      ({ id, status }) => [id, status],
    ),
  )
  const minted = await ordersMintedOnChain(world)
  const without = minted.filter((id) => statuses.get(id) !== 'MINTED')
  const [stopped] = await world.rows<{ alarms: number }>(
    `select count(*)::int as alarms from base.audit_log where action = 'offering.minting_stopped'`,
  )
  const alarms = stopped?.alarms ?? 0
  if (without.length > 0 && alarms === 0) problems.push(`${without.length} mints have no order and caused no alarm`)
  for (const [id, status] of statuses)
    if (status === 'MINTED' && !minted.includes(id)) problems.push(`order ${id} is MINTED, but not on the chain`)
  const refundedTwice = countRefundedTwice({ bank, load, statuses }, problems)
  if (refundedTwice > 0) problems.push(...(await describeRefunds(world)))
  const mintedTwice = minted.length - new Set(minted).size
  if (mintedTwice > 0) problems.push(`${mintedTwice} orders are minted twice`)
  return {
    orders: statuses.size,
    mintedOnChain: minted.length,
    mintedTwice,
    mintedWithoutOrder: without.length,
    alarms,
    transfers: bank.executed.length,
    refundedTwice,
    problems,
  }
}

/** Returns the facts that a person needs to find out why a refund was paid twice. */
async function describeRefunds(world: DrillWorld): Promise<string[]> {
  const rows = await world.rows(
    `select 'refund' as what, id, order_id, reason, amount, status, created_at, reference as detail from cell.refund
     union all
     select 'entry', id, coalesce(order_id, refund_id), state, amount, null, null, note from cell.bank_entry
     where not is_credit order by order_id`,
  )
  return rows.map((row) => JSON.stringify(row))
}

/** Counts payers who got back more than they paid beyond the price of a minted token; reports repeated transfers. */
function countRefundedTwice(
  { bank, load, statuses }: { bank: DrillBank; load: DrillLoad; statuses: ReadonlyMap<string, string> },
  problems: string[],
): number {
  const ids = bank.executed.map(({ endToEndId }) => endToEndId)
  const repeated = ids.filter((id, index) => ids.indexOf(id) !== index)
  problems.push(...repeated.map((id) => `transfer ${id} was executed twice`))
  let over = 0
  for (const [orderId, reference] of load.references) {
    const sum = (amounts: readonly { amount: number }[]) => amounts.reduce((total, { amount }) => total + amount, 0)
    const paid = sum(bank.credits.filter((credit) => credit.reference === reference))
    const back = sum(bank.executed.filter(({ text }) => text.includes(reference)))
    const owed = statuses.get(orderId) === 'MINTED' ? paid - price : paid
    if (back <= owed + 0.001) continue
    over += 1
    const transfers = bank.executed.filter(({ text }) => text.includes(reference)).map((one) => one.endToEndId)
    const status = statuses.get(orderId) ?? 'lost'
    problems.push(`order ${orderId} (${status}): paid ${paid}, refunded ${back} by ${transfers.join(', ')}`)
  }
  return repeated.length + over
}
