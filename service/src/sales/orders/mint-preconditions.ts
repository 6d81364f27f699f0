import type { Transaction } from '../../platform/postgres/transaction.ts'
import { type AccountFacts, type OrderWithOffering, selectAccountFacts } from './order-transition.sql.ts'

/** Everything that decides whether an order can be minted: the order, its offering, its account and the wallet. */
export type MintPreconditions = OrderWithOffering & AccountFacts

export async function findMintPreconditions(tx: Transaction, order: OrderWithOffering): Promise<MintPreconditions> {
  const [facts] = await selectAccountFacts(tx, order.tenantId, [order.id])
  return withFacts(order, facts)
}

/** Reads the preconditions of orders of one tenant, in one statement. */
export async function selectMintPreconditions(
  tx: Transaction,
  orders: readonly OrderWithOffering[],
): Promise<MintPreconditions[]> {
  const [first] = orders
  if (!first) return []
  const ids = orders.map(({ id }) => id)
  const found = await selectAccountFacts(tx, first.tenantId, ids)
  const factsOf = new Map(found.map(({ orderId, ...facts }) => [orderId, facts]))
  return orders.map((order) => withFacts(order, factsOf.get(order.id)))
}

function withFacts(order: OrderWithOffering, facts: AccountFacts | undefined): MintPreconditions {
  if (!facts) throw new Error('the account of an order does not exist')
  return { ...order, ...facts }
}
