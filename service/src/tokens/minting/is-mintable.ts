import type { Transaction } from '../../platform/db/transaction.ts'
import { preconditionBlockers } from '../../sales/orders/blockers.ts'
import { findMintPreconditions } from '../../sales/orders/mint-preconditions.ts'
import type { OrderWithOffering } from '../../sales/orders/order-transition.sql.ts'

/** Whether a locked order still meets the mint preconditions, with the wallet that was chosen for it. */
export async function isMintable(tx: Transaction, order: OrderWithOffering): Promise<boolean> {
  const preconditions = await findMintPreconditions(tx, order)
  return preconditions.walletId === order.mintWalletId && preconditionBlockers(preconditions).length === 0
}
