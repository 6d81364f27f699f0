import { newRowId } from '../../platform/base/ids.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { registrationCall } from '../chain/contracts.ts'
import { enqueueChainOp } from '../chain-ops/chain-op.sql.ts'
import { type HolderKey, type HolderWithWallet, selectHoldersWithWallet, setHolderOp } from './token-holder.sql.ts'

/**
 * Enqueues an op for each holder that is registered and should not be, or the other way round. Skips holders with an
 * open op: the end of that op corrects them. The caller has locked the rows of the holders.
 */
export async function correctRegistrations(
  tx: Transaction,
  tenantId: string,
  keys: readonly HolderKey[],
): Promise<void> {
  for (const holder of await selectHoldersWithWallet(tx, tenantId, keys)) {
    const { isPermitted, opId } = holder
    if (isOpOpen(holder)) continue
    if (isCorrect(holder)) {
      if (opId !== null) await setHolderOp(tx, tenantId, holder, null)
      continue
    }
    const { chain, offeringId, deskAddress, tokenAddress, address } = holder
    const newOpId = await enqueueChainOp(tx, {
      tenantId,
      chain,
      kind: isPermitted ? 'REGISTER_WALLETS' : 'UNREGISTER_WALLETS',
      // Always a new op: the holder's row allows one at a time.
      dedupeKey: `registration:${newRowId()}`,
      call: registrationCall(deskAddress, tokenAddress, [address], isPermitted),
      offeringId,
    })
    await setHolderOp(tx, tenantId, holder, newOpId)
  }
}

function isOpOpen({ opState }: HolderWithWallet): boolean {
  return opState === 'QUEUED' || opState === 'RESERVED' || opState === 'SIGNED' || opState === 'MINED'
}

/** Returns true if nothing needs correction. After an ALARM the registration on the chain is unknown. */
function isCorrect({ isRegistered, isPermitted, opState }: HolderWithWallet): boolean {
  return isRegistered === isPermitted && opState !== 'ALARM'
}
