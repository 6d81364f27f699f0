import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { LogOwner, TokenLog } from '../logs/token-log.sql.ts'
import { stopMinting } from '../reconciliation/reconcile.sql.ts'
import { applyToHoldings, selectImpossibleTokens } from './holding.sql.ts'

const reason = 'the log of the token says that a wallet has sent units that it did not have'

/**
 * Adds the transfers of these logs to the register. If an attached token reports an impossible history, its minting
 * stops until an admin accepts that, as after a difference: the logs and the register contain what it reported. Call it
 * before accounts are locked, because it may lock an offering.
 */
export async function applyToRegister(tx: Transaction, owner: LogOwner, logs: readonly TokenLog[]): Promise<void> {
  const impossible = await applyToHoldings(tx, owner, logs)
  if (impossible.length === 0) return
  for (const offeringId of await selectImpossibleTokens(tx, owner, impossible))
    await stopMinting(tx, { tenantId: owner.tenantId, offeringId }, reason)
}
