import type { Transaction } from '../../platform/postgres/transaction.ts'
import { preconditionBlockers } from '../../sales/orders/blockers.ts'
import { type MintPreconditions, selectMintPreconditions } from '../../sales/orders/mint-preconditions.ts'
import type { OrderWithOffering } from '../../sales/orders/order-transition.sql.ts'

/** Selects the locked orders that still meet the mint preconditions, with the chosen wallet. */
export async function selectMintable(
  tx: Transaction,
  orders: readonly OrderWithOffering[],
): Promise<ReadonlySet<string>> {
  const found = await selectMintPreconditions(tx, orders)
  return new Set(found.filter(isMintable).map(({ id }) => id))
}

function isMintable(preconditions: MintPreconditions): boolean {
  return preconditions.walletId === preconditions.mintWalletId && preconditionBlockers(preconditions).length === 0
}
