import { disableTenant } from '../../../src/access/tenants/tenant.sql.ts'
import { inDirectoryTransaction } from '../../../src/platform/postgres/cells/tenant-transaction.ts'
import type { TestInstallation } from '../installation/test-installation.ts'

/** Creates users with an expired and a revoked token, a removed user, and one of a disabled tenant. */
export async function createRejectedUsers(installation: TestInstallation, tenantId: string) {
  const expired = await installation.createOperator(tenantId, { days: -1 })
  const revoked = await installation.createOperator(tenantId)
  const removed = await installation.createOperator(tenantId)
  await installation.owner(async (client) => {
    await client.query('update directory.personal_token set revoked_at = now() where id = $1', [revoked.tokenId])
    await client.query('update directory.operator_user set removed_at = now() where id = $1', [removed.userId])
  })
  const ofDisabledTenant = await installation.createOperator(await installation.createTenant('Disabled'))
  await inDirectoryTransaction(installation.databases, { tenantId: ofDisabledTenant.tenantId, access: 'write' }, (tx) =>
    disableTenant(tx, ofDisabledTenant.tenantId),
  )
  return { expired, revoked, removed, ofDisabledTenant }
}

export type RejectedUsers = Awaited<ReturnType<typeof createRejectedUsers>>
