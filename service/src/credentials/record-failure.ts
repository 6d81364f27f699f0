import type { Databases } from '../db/pools.ts'
import { inDirectoryTransaction } from '../db/tenant-transaction.ts'
import { enqueueJob } from '../jobs/enqueue.sql.ts'
import { listAdministrators } from '../tenants/tenant.sql.ts'
import { alertFailedAuthentication } from './alert-failed-authentication.job.ts'
import { type CredentialKey, countFailure } from './credential.sql.ts'

const failuresBeforeAlert = 3

/**
 * Counts a wrong secret. The step from two to three, which only one of any number of concurrent failures takes, also
 * queues a mail for each administrator of the tenant; the following ones of the same streak do not, or anybody who
 * knows a client_id could fill their mailboxes.
 */
export async function recordFailure(
  databases: Databases,
  { tenantId, clientId, sourceAddress }: CredentialKey & { sourceAddress: string },
): Promise<void> {
  await inDirectoryTransaction(databases, { tenantId, access: 'write' }, async (tx) => {
    const failure = await countFailure(tx, { tenantId, clientId })
    if (failure.consecutive !== failuresBeforeAlert) return
    for (const { administratorId } of await listAdministrators(tx, tenantId))
      await enqueueJob(tx, alertFailedAuthentication, {
        tenant_id: tenantId,
        administrator_id: administratorId,
        credential_id: clientId,
        failed_at: failure.failedAt.toISOString(),
        source_address: sourceAddress,
      })
  })
}
