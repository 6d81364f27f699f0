import type { Transaction } from '../../platform/db/transaction.ts'
import { type AccountFacts, findAccountFacts, type OrderWithOffering } from './order-transition.sql.ts'

/** Everything that decides whether an order can be minted: the order, its offering, its account and the wallet. */
export type MintPreconditions = OrderWithOffering & AccountFacts

export async function findMintPreconditions(tx: Transaction, order: OrderWithOffering): Promise<MintPreconditions> {
  return { ...order, ...(await findAccountFacts(tx, order)) }
}
