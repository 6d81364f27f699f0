import type { Databases } from '../../platform/db/pools.ts'
import { inDirectoryTransaction } from '../../platform/db/tenant-transaction.ts'
import { enqueueJob } from '../../platform/jobs/enqueue.sql.ts'
import { selectAdmins } from '../tenants/tenant.sql.ts'
import { alertFailedAuthentication } from './alert-failed-authentication.job.ts'
import { type CredentialKey, countFailure } from './credential.sql.ts'

const failuresBeforeAlert = 3

/**
 * Counts a wrong secret. The step from two to three, which only one of any number of concurrent failures takes, also
 * queues a mail for each admin of the tenant; the following ones of the same streak do not, or anybody who
 * knows a client_id could fill their mailboxes.
 */
export async function recordFailure(
  databases: Databases,
  { tenantId, clientId, sourceAddress }: CredentialKey & { sourceAddress: string },
): Promise<void> {
  await inDirectoryTransaction(databases, { tenantId, access: 'write' }, async (tx) => {
    const failure = await countFailure(tx, { tenantId, clientId })
    if (failure.consecutive !== failuresBeforeAlert) return
    for (const { userId } of await selectAdmins(tx, tenantId))
      await enqueueJob(tx, alertFailedAuthentication, {
        tenant_id: tenantId,
        user_id: userId,
        credential_id: clientId,
        failed_at: failure.failedAt.toISOString(),
        source_address: sourceAddress,
      })
  })
}
