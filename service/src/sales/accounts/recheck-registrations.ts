import { Type } from 'typebox'
import type { Transaction } from '../../platform/db/transaction.ts'
import { enqueueJob } from '../../platform/jobs/enqueue.sql.ts'
import type { AccountKey } from './account.sql.ts'

/** Compares the registrations of an account's wallets with what they should be. tokens/registrations runs the job. */
export const registrationsCheck = {
  name: 'check-registrations',
  payload: Type.Object({ tenant_id: Type.String(), account_id: Type.String() }),
  keyOf: ({ account_id: accountId }: { account_id: string }) => accountId,
} as const

/**
 * Enqueues the check. Call it in the transaction that changes which wallets are permitted: an approval granted or
 * withdrawn, a wallet that becomes active or is no longer active.
 */
export async function recheckRegistrations(tx: Transaction, { tenantId, accountId }: AccountKey): Promise<void> {
  await enqueueJob(tx, registrationsCheck, { tenant_id: tenantId, account_id: accountId })
}
