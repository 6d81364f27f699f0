import { enqueueJob } from '../../platform/jobs/enqueue.sql.ts'
import { inDirectoryTransaction } from '../../platform/postgres/cells/tenant-transaction.ts'
import type { Databases } from '../../platform/postgres/pools.ts'
import { selectDutyHolders } from '../users/user.sql.ts'
import { alertFailedAuthentication } from './alert-failed-authentication.job.ts'
import { type CredentialKey, countFailure } from './credential.sql.ts'

const failuresBeforeAlert = 3

/**
 * Counts a wrong secret. Exactly one of any number of concurrent failures raises the count to three; it also enqueues
 * a mail to each admin of the tenant. Later failures in a row do not, because otherwise an attacker who knows a
 * client_id could flood the admins with mails.
 */
export async function recordFailedAuthentication(
  databases: Databases,
  { tenantId, clientId, sourceAddress }: CredentialKey & { sourceAddress: string },
): Promise<void> {
  await inDirectoryTransaction(databases, { tenantId, access: 'write' }, async (tx) => {
    const failure = await countFailure(tx, { tenantId, clientId })
    if (failure.consecutive !== failuresBeforeAlert) return
    for (const { id } of await selectDutyHolders(tx, { tenantId, duty: 'team' }))
      await enqueueJob(tx, alertFailedAuthentication, {
        tenant_id: tenantId,
        user_id: id,
        credential_id: clientId,
        failed_at: failure.failedAt.toISOString(),
        source_address: sourceAddress,
      })
  })
}
