import { createHash } from 'node:crypto'
import type { Transaction } from '../../platform/db/transaction.ts'
import { gateBlockers } from '../../sales/orders/blockers.ts'
import { gateFactsOf } from '../../sales/orders/mint-preconditions.ts'
import { moveOrder } from '../../sales/orders/move-order.ts'
import { registerCall } from '../chain/contracts.ts'
import { enqueueChainOp } from '../chain-ops/chain-op.sql.ts'
import { passCrashPoint } from '../chain-ops/crash-points.ts'
import { inTenantWrite, type Settlement } from '../chain-ops/settlement.ts'
import { findDesk, insertHolders, lockReadyOrders, type MintableOffering, type ReadyOrder } from './mint-orders.sql.ts'
import { queueMint } from './queue-mint.ts'

/** As many as the desk takes at once. */
const batchMax = 100

/**
 * Plans one mint of an offering: its orders become MINTING and the wish is queued in one transaction. Orders whose
 * wallet the token does not know yet wait for its registration, which is queued instead. Tells whether there was a full
 * batch, so that there may be more.
 */
export function planMint(settlement: Settlement, key: MintableOffering): Promise<boolean> {
  return inTenantWrite(settlement, key.tenantId, async (tx) => {
    const desk = await findDesk(tx, key)
    if (!desk) return false
    const ready = await lockReadyOrders(tx, key, batchMax)
    const open = await stillOpen(tx, ready)
    const registered = open.filter(({ isRegistered }) => isRegistered)
    await registerWallets(
      tx,
      key,
      desk,
      open.filter(({ isRegistered }) => isRegistered === null),
    )
    if (registered.length > 0) {
      const mintOpId = await queueMint(tx, key, registered)
      await Promise.all(registered.map((order) => moveOrder(tx, order, 'MINTING', { mintOpId })))
    }
    passCrashPoint('planned')
    return ready.length === batchMax
  })
}

/** The gates once more, under the lock: one that was lost a moment ago sends its order back. */
async function stillOpen(tx: Transaction, orders: readonly ReadyOrder[]): Promise<ReadyOrder[]> {
  const facts = await Promise.all(orders.map((order) => gateFactsOf(tx, order)))
  const isOpen = (place: number) => {
    const fact = facts[place]
    return fact !== undefined && gateBlockers(fact).length === 0 && fact.walletId === orders[place]?.mintWalletId
  }
  const shut = orders.filter((_, place) => !isOpen(place))
  await Promise.all(shut.map((order) => moveOrder(tx, order, 'PAID')))
  return orders.filter((_, place) => isOpen(place))
}

async function registerWallets(
  tx: Transaction,
  key: MintableOffering,
  desk: NonNullable<Awaited<ReturnType<typeof findDesk>>>,
  orders: readonly ReadyOrder[],
): Promise<void> {
  const wallets = new Map(
    orders.map(({ mintWalletId, accountId, walletAddress }) => [
      mintWalletId as string,
      { walletId: mintWalletId as string, accountId, address: walletAddress },
    ]),
  )
  if (wallets.size === 0) return
  const wanted = [...wallets.values()]
  const ids = createHash('sha256')
    .update([...wallets.keys()].toSorted().join())
    .digest('hex')
    .slice(0, 32)
  const opId = await enqueueChainOp(tx, {
    ...key,
    chain: desk.chain,
    kind: 'REGISTER_WALLETS',
    dedupeKey: `register:${key.offeringId}:${ids}`,
    call: registerCall(
      desk.deskAddress,
      desk.tokenAddress,
      wanted.map(({ address }) => address),
    ),
  })
  await insertHolders(tx, key, opId, wanted)
}
