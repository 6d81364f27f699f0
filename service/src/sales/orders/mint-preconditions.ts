import type { Transaction } from '../../platform/postgres/transaction.ts'
import {
  type AccountFacts,
  findAccountFacts,
  type OrderWithOffering,
  selectAccountFacts,
} from './order-transition.sql.ts'

/** Everything that decides whether an order can be minted: the order, its offering, its account and the wallet. */
export type MintPreconditions = OrderWithOffering & AccountFacts

export async function findMintPreconditions(tx: Transaction, order: OrderWithOffering): Promise<MintPreconditions> {
  return { ...order, ...(await findAccountFacts(tx, order)) }
}

/** Reads the preconditions of orders of one tenant, in one statement. */
export async function selectMintPreconditions(
  tx: Transaction,
  orders: readonly OrderWithOffering[],
): Promise<MintPreconditions[]> {
  const [first] = orders
  if (!first) return []
  const found = await selectAccountFacts(tx, first.tenantId, orders)
  const factsOf = new Map(found.map(({ orderId, ...facts }) => [orderId, facts]))
  return orders.map((order) => {
    const facts = factsOf.get(order.id)
    if (!facts) throw new Error('the account of an order does not exist')
    return { ...order, ...facts }
  })
}
