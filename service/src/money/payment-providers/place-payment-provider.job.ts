import { Type } from 'typebox'
import { inDirectoryTransaction } from '../../platform/db/tenant-transaction.ts'
import { job } from '../../platform/jobs/job.ts'
import { placeProvider } from './payment-provider.sql.ts'

/**
 * A provider is in the tenant's cell, where its secrets can be sealed, and its id must be in the directory, where the
 * tenant is found by it. The directory follows by this job; until then its notices are refused.
 */
export const placePaymentProvider = job({
  name: 'place-payment-provider',
  payload: Type.Object({ tenant_id: Type.String(), provider_id: Type.String() }),
  run: async ({ tenant_id: tenantId, provider_id: providerId }, { databases }) => {
    await inDirectoryTransaction(databases, { tenantId, access: 'write' }, (tx) =>
      placeProvider(tx, { tenantId, providerId }),
    )
  },
})
