import { Type } from 'typebox'
import { enqueueJob } from '../../platform/jobs/enqueue.sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { AccountKey } from './account.sql.ts'

/** Job that corrects the registrations of an account's wallets. tokens/allow-list runs it. */
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
