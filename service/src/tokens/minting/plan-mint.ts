import { createHash } from 'node:crypto'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { OfferingKey } from '../../sales/offerings/offering.sql.ts'
import { transitionOrder } from '../../sales/orders/transition-order.ts'
import { transitionOrders } from '../../sales/orders/transition-orders.ts'
import { insertRegistrations } from '../allow-list/registration.sql.ts'
import { type ChainContext, inTenantWrite } from '../chain/chain-context.ts'
import { registrationCall } from '../chain/contracts.ts'
import { enqueueChainOp } from '../chain-ops/chain-op.sql.ts'
import { passCrashPoint } from '../chain-ops/crash-points.ts'
import { enqueueMint } from './enqueue-mint.ts'
import { type Desk, findDesk, lockReadyOrders, type ReadyOrder } from './mint-orders.sql.ts'
import { selectMintable } from './select-mintable.ts'

/** Maximum number of orders in one mint, the limit of the desk contract. */
const batchMax = 100

/**
 * Plans one mint of an offering: its orders become MINTING and the mint is enqueued, in one transaction. Orders whose
 * wallet is not registered with the token stay READYTOMINT, and the registration is enqueued instead. Returns true if
 * the batch was full, so that there may be more orders.
 */
export function planMint(context: ChainContext, key: OfferingKey): Promise<boolean> {
  return inTenantWrite(context, key.tenantId, async (tx) => {
    const desk = await findDesk(tx, key)
    if (!desk) return false
    const ready = await lockReadyOrders(tx, key, batchMax)
    const mintable = await checkPreconditions(tx, ready)
    const unregistered = mintable.filter(({ isRegistered }) => isRegistered === null)
    const registered = mintable.filter(({ isRegistered }) => isRegistered !== null)
    await registerWallets(tx, key, desk, unregistered)
    if (registered.length > 0) {
      await enqueueMint(tx, key, registered)
      await transitionOrders(tx, registered, 'MINTING')
    }
    passCrashPoint('planned')
    return ready.length === batchMax
  })
}

/** Checks the mint preconditions again, under the lock. Orders that fail one go back to PAID; returns the others. */
async function checkPreconditions(tx: Transaction, orders: readonly ReadyOrder[]): Promise<ReadyOrder[]> {
  const mintable = await selectMintable(tx, orders)
  const blocked = orders.filter(({ id }) => !mintable.has(id))
  await tx.each(blocked, (tx, order) => transitionOrder(tx, order, 'PAID'))
  return orders.filter(({ id }) => mintable.has(id))
}

async function registerWallets(
  tx: Transaction,
  key: OfferingKey,
  desk: Desk,
  orders: readonly ReadyOrder[],
): Promise<void> {
  const byId = new Map(
    orders.map(({ mintWalletId, accountId, walletAddress }) => {
      const walletId = mintWalletId as string
      return [walletId, { walletId, accountId, address: walletAddress }]
    }),
  )
  if (byId.size === 0) return
  const wallets = [...byId.values()]
  const digest = createHash('sha256')
    .update([...byId.keys()].toSorted().join())
    .digest('hex')
  const addresses = wallets.map(({ address }) => address)
  const opId = await enqueueChainOp(tx, {
    ...key,
    chain: desk.chain,
    kind: 'REGISTER_WALLETS',
    dedupeKey: `register:${key.offeringId}:${digest.slice(0, 32)}`,
    call: registrationCall(desk.deskAddress, desk.tokenAddress, addresses, true),
    dependsOn: desk.deploymentOpId,
  })
  await insertRegistrations(tx, key, opId, wallets)
}
