import { job } from '../../platform/jobs/job.ts'
import { inTenantTransaction, type TenantDatabases } from '../../platform/postgres/cells/tenant-transaction.ts'
import { registrationsCheck } from '../../sales/accounts/recheck-registrations.ts'
import { correctRegistrations } from './correct-registrations.ts'
import { lockRegistrationsOfAccount } from './registration.sql.ts'

/** Unregisters the wallets of an account that are no longer permitted, and registers those that are permitted again. */
export const checkRegistrations = job({
  ...registrationsCheck,
  run: async ({ tenant_id: tenantId, account_id: accountId }, context: TenantDatabases) =>
    inTenantTransaction(context, { tenantId, access: 'write' }, async (tx) =>
      correctRegistrations(tx, tenantId, await lockRegistrationsOfAccount(tx, { tenantId, accountId })),
    ),
})
