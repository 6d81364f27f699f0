import { newRowId } from '../../platform/base/ids.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { mintCall } from '../chain/contracts.ts'
import { enqueueChainOp } from '../chain-ops/chain-op.sql.ts'
import { assignOrders, findDesk, type ReadyOrder } from './mint-orders.sql.ts'

/** Asks for one mint of these orders. Each carries its id to the chain, where the desk mints it once and no more. */
export async function queueMint(
  tx: Transaction,
  { tenantId, offeringId }: { tenantId: string; offeringId: string | null },
  orders: readonly ReadyOrder[],
): Promise<string> {
  if (!offeringId) throw new Error('a mint has no offering')
  const desk = await findDesk(tx, { tenantId, offeringId })
  if (!desk) throw new Error('an offering lost its desk')
  const minted = orders.map(({ id, walletAddress, units }) => ({
    orderId: id,
    to: walletAddress,
    units: BigInt(units),
  }))
  const opId = await enqueueChainOp(tx, {
    tenantId,
    chain: desk.chain,
    kind: 'MINT',
    // Every mint is a new wish: that an order is minted once is the desk's to see to.
    dedupeKey: `mint:${newRowId()}`,
    call: mintCall(desk.deskAddress, desk.tokenAddress, minted),
    offeringId,
  })
  const ids = orders.map(({ id }) => id)
  await assignOrders(tx, tenantId, opId, ids)
  return opId
}
