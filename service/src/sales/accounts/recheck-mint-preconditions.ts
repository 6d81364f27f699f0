import { Type } from 'typebox'
import type { Transaction } from '../../platform/db/transaction.ts'
import { enqueueJob } from '../../platform/jobs/enqueue.sql.ts'
import { updateBlockersOfAccount } from '../orders/order-blocker.sql.ts'
import type { AccountKey } from './account.sql.ts'

/** Checks the mint preconditions of all orders of an account. sales/orders runs the job. */
export const mintPreconditionsCheck = {
  name: 'check-mint-preconditions',
  payload: Type.Object({ tenant_id: Type.String(), account_id: Type.String() }),
  keyOf: ({ account_id: accountId }: { account_id: string }) => accountId,
} as const

/**
 * Updates the blockers of the account's orders and enqueues the check. Call it in the transaction that changes a
 * precondition, after the change: an approval granted or withdrawn, a new benefiting person, a wallet that can or can
 * no longer receive tokens.
 */
export async function recheckMintPreconditions(tx: Transaction, key: AccountKey): Promise<void> {
  await tx.batch(
    (tx) => updateBlockersOfAccount(tx, key),
    (tx) => checkOrdersOfAccount(tx, key),
  )
}

/** Enqueues the check alone: an order has changed, and nothing else of its account. */
export async function checkOrdersOfAccount(tx: Transaction, { tenantId, accountId }: AccountKey): Promise<void> {
  await enqueueJob(tx, mintPreconditionsCheck, { tenant_id: tenantId, account_id: accountId })
}
