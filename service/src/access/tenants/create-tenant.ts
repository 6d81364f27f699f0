import type { Actor } from '../../platform/api/declare/audit.ts'
import { newId } from '../../platform/base/ids.ts'
import { LoggableError } from '../../platform/base/log.ts'
import type { Databases } from '../../platform/db/pools.ts'
import { inCellTransaction, inDirectoryTransaction } from '../../platform/db/tenant-transaction.ts'
import type { Vaults } from '../../platform/db/vault.ts'
import { appendAudit } from '../../records/audit/append-audit.sql.ts'
import { insertTenantSettings } from '../settings/tenant-settings.sql.ts'
import { insertTenant, insertTenantIntoCell } from './tenant.sql.ts'

class UnknownCell extends LoggableError {
  override readonly name = 'UnknownCell'
}

/**
 * Creates a tenant in a cell. Two databases need two transactions. The cell comes first: a tenant in the directory can
 * receive requests at once, while a row that exists only in the cell is never read.
 */
export async function createTenant(
  databases: Databases,
  vaults: Vaults,
  { by, ...tenant }: { name: string; cell: string; identityProvider?: string | null; by?: Actor },
): Promise<string> {
  const { cell, identityProvider = null } = tenant
  if (!databases.cells.has(cell))
    throw new UnknownCell(`Cell ${cell} does not exist. CELLS configures ${[...databases.cells.keys()].join(', ')}.`)
  const tenantId = newId()
  await inCellTransaction(databases, { cell, tenantId }, async (tx) => {
    await insertTenantIntoCell(tx, tenantId)
    await insertTenantSettings(tx, tenantId)
    await vaults.addKey(tx, tenantId)
  })
  await inDirectoryTransaction(databases, { tenantId, access: 'write' }, async (tx) => {
    await insertTenant(tx, { ...tenant, tenantId, identityProvider })
    const subject = { type: 'tenant', id: tenantId }
    if (by)
      await appendAudit(tx, by, {
        action: 'tenant.created',
        subject,
        after: { cell, identity_provider: identityProvider },
      })
  })
  return tenantId
}
