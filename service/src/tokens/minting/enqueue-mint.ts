import { newRowId } from '../../platform/base/ids.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { mintCall } from '../chain/contracts.ts'
import { enqueueChainOp } from '../chain-ops/chain-op.sql.ts'
import { assignMintOp, findDesk, type ReadyOrder } from './mint-orders.sql.ts'

/** Enqueues one mint of these orders. The call contains each order's id, and the desk mints an id only once. */
export async function enqueueMint(
  tx: Transaction,
  { tenantId, offeringId }: { tenantId: string; offeringId: string | null },
  orders: readonly ReadyOrder[],
): Promise<string> {
  if (!offeringId) throw new Error('a mint must have an offering')
  const desk = await findDesk(tx, { tenantId, offeringId })
  if (!desk) throw new Error('the offering of a mint has no desk, or its minting is stopped')
  const mints = orders.map(({ id, walletAddress, units }) => ({ orderId: id, to: walletAddress, units: BigInt(units) }))
  const opId = await enqueueChainOp(tx, {
    tenantId,
    chain: desk.chain,
    kind: 'MINT',
    // Always a new op: the desk, not this key, prevents a second mint of an order.
    dedupeKey: `mint:${newRowId()}`,
    call: mintCall(desk.deskAddress, desk.tokenAddress, mints),
    offeringId,
    dependsOn: lastRegistration(orders) ?? desk.deploymentOpId,
  })
  await assignMintOp(tx, { tenantId, opId, orderIds: orders.map(({ id }) => id) })
  return opId
}

/**
 * Finds the last unfinalized registration: the chain executes the others before it, because their nonces are lower. If
 * one of them fails after a reorg, the mint reverts, since the token checks each wallet.
 */
function lastRegistration(orders: readonly ReadyOrder[]): string | undefined {
  const pending = orders.filter(({ registrationOpId }) => registrationOpId !== null)
  const [last] = pending.toSorted((one, other) => Number(other.registrationNonce) - Number(one.registrationNonce))
  return last?.registrationOpId ?? undefined
}
