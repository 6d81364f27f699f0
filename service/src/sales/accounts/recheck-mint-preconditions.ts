import { Type } from 'typebox'
import type { Transaction } from '../../platform/db/transaction.ts'
import { enqueueJob } from '../../platform/jobs/enqueue.sql.ts'
import type { AccountKey } from './account.sql.ts'

/** Asks whether the orders of an account can advance now, or no longer. The orders know how to answer. */
export const gateCheck = {
  name: 'check-gates',
  payload: Type.Object({ tenant_id: Type.String(), account_id: Type.String() }),
} as const

/**
 * To be said in the transaction of whatever an order waits for: an approval given or taken, a benefiting person, a
 * wallet that can or can no longer receive.
 */
export async function announceGateChange(tx: Transaction, { tenantId, accountId }: AccountKey): Promise<void> {
  await enqueueJob(tx, gateCheck, { tenant_id: tenantId, account_id: accountId })
}
