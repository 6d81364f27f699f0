import { newRowId } from '../../platform/base/ids.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { registrationCall } from '../chain/contracts.ts'
import { enqueueChainOp } from '../chain-ops/chain-op.sql.ts'
import {
  type RegistrationKey,
  type RegistrationWithWallet,
  selectRegistrations,
  setRegistrationOp,
} from './registration.sql.ts'

/**
 * Enqueues an op for each wallet that is registered and should not be, or the other way round. Skips wallets with an
 * open op: the end of that op corrects them. The caller has locked the rows.
 */
export async function correctRegistrations(
  tx: Transaction,
  tenantId: string,
  keys: readonly RegistrationKey[],
): Promise<void> {
  for (const registration of await selectRegistrations(tx, tenantId, keys)) {
    const { isPermitted, opId } = registration
    if (isOpOpen(registration)) continue
    if (isCorrect(registration)) {
      if (opId !== null) await setRegistrationOp(tx, tenantId, registration, null)
      continue
    }
    const { chain, offeringId, deskAddress, tokenAddress, address } = registration
    const newOpId = await enqueueChainOp(tx, {
      tenantId,
      chain,
      kind: isPermitted ? 'REGISTER_WALLETS' : 'UNREGISTER_WALLETS',
      // Always a new op: the row allows one at a time.
      dedupeKey: `registration:${newRowId()}`,
      call: registrationCall(deskAddress, tokenAddress, [address], isPermitted),
      offeringId,
    })
    await setRegistrationOp(tx, tenantId, registration, newOpId)
  }
}

function isOpOpen({ opState }: RegistrationWithWallet): boolean {
  return opState === 'QUEUED' || opState === 'RESERVED' || opState === 'SIGNED' || opState === 'MINED'
}

/** Returns true if nothing needs correction. After an ALARM the registration on the chain is unknown. */
function isCorrect({ isRegistered, isPermitted, opState }: RegistrationWithWallet): boolean {
  return isRegistered === isPermitted && opState !== 'ALARM'
}
