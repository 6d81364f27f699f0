import { Type } from 'typebox'
import { insertDirectoryProvider } from '../../access/providers/provider-directory.sql.ts'
import { type JobContext, job } from '../../platform/jobs/job.ts'
import { inDirectoryTransaction } from '../../platform/postgres/cells/tenant-transaction.ts'

/**
 * Copies a new provider's id from the tenant's cell to the directory, which maps the id in a notification's URL to the
 * tenant. The cell and the directory share no transaction, so this is a job; until it has run, the API rejects the
 * provider's notifications with 401.
 */
export const addProviderToDirectory = job({
  name: 'add-provider-to-directory',
  payload: Type.Object({ tenant_id: Type.String(), provider_id: Type.String() }),
  run: async ({ tenant_id: tenantId, provider_id: providerId }, { databases }: Pick<JobContext, 'databases'>) => {
    await inDirectoryTransaction(databases, { tenantId, access: 'write' }, (tx) =>
      insertDirectoryProvider(tx, 'payment_provider', { tenantId, providerId }),
    )
  },
})
