import { type Address, parseAbiItem } from 'viem'
import { idFromBytes32 } from '../../../service/src/tokens/chain/contracts.ts'
import type { DrillBank } from './drill-bank.ts'
import type { DrillLoad } from './drill-load.ts'
import type { DrillWorld } from './drill-world.ts'

export interface Verdict {
  orders: number
  mintedOnChain: number
  mintedTwice: number
  /** Minted for an order that the restored database does not have, or that is cancelled there. */
  mintedWithoutOrder: number
  alarms: number
  transfers: number
  refundedTwice: number
  problems: string[]
}

const orderMinted = parseAbiItem(
  'event OrderMinted(address indexed token, bytes32 indexed ref, address indexed to, uint256 amount)',
)
const price = 12.5

/** Compares what the chain and the bank have done with what the restored service says. */
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
  const desks = await world.rows<{ desk: Address }>('select desk_address as desk from cell.chain_signer')
  const logs = await world.chain.client.getLogs({
    address: desks.map(({ desk }) => desk),
    event: orderMinted,
    fromBlock: 0n,
  })
  const minted = logs.map(({ args }) => idFromBytes32(args.ref ?? '0x'))
  const without = minted.filter((id) => statuses.get(id) !== 'MINTED')
  const [{ alarms = 0 } = {}] = await world.rows<{ alarms: number }>(
    `select count(*)::int as alarms from base.audit_log where action = 'offering.minting_stopped'`,
  )
  if (without.length > 0 && alarms === 0) problems.push(`${without.length} mints have no order and caused no alarm`)
  for (const [id, status] of statuses)
    if (status === 'MINTED' && !minted.includes(id)) problems.push(`order ${id} is MINTED, but not on the chain`)
  const refundedTwice = countRefundedTwice({ bank, load, statuses }, problems)
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

/** No transfer was executed twice, and no payer got back more than they paid beyond the price of a minted token. */
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
    problems.push(`order ${orderId} (${statuses.get(orderId) ?? 'lost'}): paid ${paid}, refunded ${back}`)
  }
  return repeated.length + over
}
