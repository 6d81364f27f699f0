import { ApiError } from '../platform/api/errors/errors.ts'
import type { Transaction } from '../platform/postgres/transaction.ts'
import { correctRegistrations } from './allow-list/correct-registrations.ts'
import {
  endRegistration,
  lockRegistrationsOfOp,
  reassignRegistrations,
  selectRegistrations,
  setRegistrationOp,
} from './allow-list/registration.sql.ts'
import type { Call } from './chain/chain.ts'
import { registrationCall } from './chain/contracts.ts'
import { chainOpErrors } from './chain-ops/chain-op.errors.ts'
import type { ChainOp } from './chain-ops/chain-op.sql.ts'
import type { ChainOpHandler, Retried } from './chain-ops/chain-op-handler.ts'
import { enqueueAgain } from './chain-ops/enqueue-again.ts'
import { markTransfersReady } from './transfers/register-receiver.ts'

export const registerWalletsHandler = handlerFor(true)
export const unregisterWalletsHandler = handlerFor(false)

/**
 * A wallet has at most one op at a time: to register or to unregister it, as required when the op was enqueued.
 * The requirement is read again when the nonce is reserved, and when the op ends. So a wallet that is suspended and
 * resumed any number of times costs at most one transaction per op.
 */
function handlerFor(isRegistering: boolean): ChainOpHandler {
  return {
    followsUnfinalized: true,
    isAwaited: true,
    currentCall: (tx, op) => callForWallets(tx, op, isRegistering),
    onFinal: async (tx, op, now) => {
      const registrations = await lockRegistrationsOfOp(tx, op)
      await endRegistration(tx, op, isRegistering)
      await correctRegistrations(tx, op.tenantId, registrations)
      if (isRegistering) await markTransfersReady(tx, op.tenantId, registrations, now)
    },
    onFailed: async (tx, op, failure) => {
      // The same call would revert again, so the next try comes from an operator or from the next change of the wallet.
      if (failure !== null) return
      await correctRegistrations(tx, op.tenantId, await lockRegistrationsOfOp(tx, op))
    },
    retry: retryForWallets,
  }
}

/** Drops the wallets that no longer require the call. Returns undefined if none is left. */
async function callForWallets(tx: Transaction, op: ChainOp, isRegistering: boolean): Promise<Call | undefined> {
  const { tenantId } = op
  const registrations = await selectRegistrations(tx, tenantId, await lockRegistrationsOfOp(tx, op))
  const dropped = registrations.filter(({ isPermitted }) => isPermitted !== isRegistering)
  await tx.each(dropped, (tx, one) => setRegistrationOp(tx, tenantId, one, null))
  const required = registrations.filter(({ isPermitted }) => isPermitted === isRegistering)
  const [first] = required
  if (!first) return undefined
  const addresses = required.map(({ address }) => address)
  return registrationCall(first.deskAddress, first.tokenAddress, addresses, isRegistering)
}

async function retryForWallets(tx: Transaction, op: ChainOp): Promise<Retried> {
  const retried = await enqueueAgain(tx, op)
  if ((await reassignRegistrations(tx, op, retried.newOpId)) === 0)
    throw new ApiError(chainOpErrors.chain_op_not_retryable, 'No wallet waits for this registration any more.')
  return retried
}
