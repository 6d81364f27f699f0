import { Type } from 'typebox'
import { type JobContext, job } from '../../platform/jobs/job.ts'
import { inDirectoryTransaction } from '../../platform/postgres/cells/tenant-transaction.ts'
import { insertDirectoryProvider, type ProviderType } from './provider-directory.sql.ts'

export const addPaymentProviderToDirectory = jobOf('add-provider-to-directory', 'payment_provider')
export const addKycProviderToDirectory = jobOf('add-kyc-provider-to-directory', 'kyc_provider')

/**
 * Copies a new provider's id from the tenant's cell to the directory, which maps the id in a notification's URL to the
 * tenant. The cell and the directory share no transaction, so this is a job; until it has run, the API rejects the
 * provider's notifications with 401.
 */
function jobOf(name: string, type: ProviderType) {
  return job({
    name,
    payload: Type.Object({ tenant_id: Type.String(), provider_id: Type.String() }),
    run: async ({ tenant_id: tenantId, provider_id: providerId }, { databases }: Pick<JobContext, 'databases'>) => {
      await inDirectoryTransaction(databases, { tenantId, access: 'write' }, (tx) =>
        insertDirectoryProvider(tx, type, { tenantId, providerId }),
      )
    },
  })
}
