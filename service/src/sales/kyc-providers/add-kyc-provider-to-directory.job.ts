import { Type } from 'typebox'
import { insertDirectoryProvider } from '../../access/providers/provider-directory.sql.ts'
import { type JobContext, job } from '../../platform/jobs/job.ts'
import { inDirectoryTransaction } from '../../platform/postgres/cells/tenant-transaction.ts'

/** Copies a new KYC provider's id to the directory, as addProviderToDirectory does for payment providers. */
export const addKycProviderToDirectory = job({
  name: 'add-kyc-provider-to-directory',
  payload: Type.Object({ tenant_id: Type.String(), provider_id: Type.String() }),
  run: async ({ tenant_id: tenantId, provider_id: providerId }, { databases }: Pick<JobContext, 'databases'>) => {
    await inDirectoryTransaction(databases, { tenantId, access: 'write' }, (tx) =>
      insertDirectoryProvider(tx, 'kyc_provider', { tenantId, providerId }),
    )
  },
})
