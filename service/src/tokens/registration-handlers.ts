import { ApiError } from '../platform/api/errors/errors.ts'
import type { Transaction } from '../platform/postgres/transaction.ts'
import type { Call } from './chain/chain.ts'
import { registrationCall } from './chain/contracts.ts'
import { chainOpErrors } from './chain-ops/chain-op.errors.ts'
import type { ChainOp } from './chain-ops/chain-op.sql.ts'
import type { ChainOpHandler, Retried } from './chain-ops/chain-op-handler.ts'
import { enqueueAgain } from './chain-ops/enqueue-again.ts'
import { correctRegistrations } from './registrations/correct-registrations.ts'
import {
  endRegistration,
  lockHoldersOfOp,
  reassignHolders,
  selectHoldersWithWallet,
  setHolderOp,
} from './registrations/token-holder.sql.ts'
import { markTransfersReady } from './transfers/mark-transfers-ready.ts'

export const registerWalletsHandler = handlerFor(true)
export const unregisterWalletsHandler = handlerFor(false)

/**
 * A holder has at most one op at a time: to register or to unregister, as its wallet required when the op was enqueued.
 * The requirement is read again when the nonce is reserved, and when the op ends. So a wallet that is suspended and
 * resumed any number of times costs at most one transaction per op.
 */
function handlerFor(isRegistering: boolean): ChainOpHandler {
  return {
    followsUnfinalized: true,
    isAwaited: true,
    currentCall: (tx, op) => callForWallets(tx, op, isRegistering),
    onFinal: async (tx, op, now) => {
      const holders = await lockHoldersOfOp(tx, op)
      await endRegistration(tx, op, isRegistering)
      await correctRegistrations(tx, op.tenantId, holders)
      if (isRegistering) await markTransfersReady(tx, op.tenantId, holders, now)
    },
    onFailed: async (tx, op, failure) => {
      // The same call would revert again, so the next try comes from an operator or from the next change of the wallet.
      if (failure !== null) return
      await correctRegistrations(tx, op.tenantId, await lockHoldersOfOp(tx, op))
    },
    retry: retryForWallets,
  }
}

/** Drops the wallets that no longer require the call. Returns undefined if none is left. */
async function callForWallets(tx: Transaction, op: ChainOp, isRegistering: boolean): Promise<Call | undefined> {
  const { tenantId } = op
  const holders = await selectHoldersWithWallet(tx, tenantId, await lockHoldersOfOp(tx, op))
  const dropped = holders.filter(({ isPermitted }) => isPermitted !== isRegistering)
  await tx.each(dropped, (tx, holder) => setHolderOp(tx, tenantId, holder, null))
  const required = holders.filter(({ isPermitted }) => isPermitted === isRegistering)
  const [first] = required
  if (!first) return undefined
  const addresses = required.map(({ address }) => address)
  return registrationCall(first.deskAddress, first.tokenAddress, addresses, isRegistering)
}

async function retryForWallets(tx: Transaction, op: ChainOp): Promise<Retried> {
  const retried = await enqueueAgain(tx, op)
  if ((await reassignHolders(tx, op, retried.newOpId)) === 0)
    throw new ApiError(chainOpErrors.chain_op_not_retryable, 'No wallet waits for this registration any more.')
  return retried
}
