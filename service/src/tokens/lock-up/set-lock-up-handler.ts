import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { Call } from '../chain/chain.ts'
import { lockUpCall } from '../chain/contracts.ts'
import type { ChainOp } from '../chain-ops/chain-op.sql.ts'
import type { ChainOpHandler } from '../chain-ops/chain-op-handler.ts'
import { enqueueAgain } from '../chain-ops/enqueue-again.ts'
import { lockTokenLockUp } from './lock-up.sql.ts'

/**
 * Sends the lock-up that the offering has when the nonce is reserved. So two changes can be sent in any order, and a
 * retry cannot restore an older one.
 */
export const setLockUpHandler: ChainOpHandler = { currentCall, retry: enqueueAgain }

async function currentCall(tx: Transaction, { tenantId, offeringId }: ChainOp): Promise<Call | undefined> {
  const found = offeringId === null ? undefined : await lockTokenLockUp(tx, { tenantId, offeringId })
  return found?.isEnforced && found.token !== null ? lockUpCall(found.token, found.until) : undefined
}
