import type { Actor } from '../../platform/api/declare/audit.ts'
import { newId } from '../../platform/base/ids.ts'
import { OwnError } from '../../platform/base/log.ts'
import type { Databases } from '../../platform/db/pools.ts'
import { inCellTransaction, inDirectoryTransaction } from '../../platform/db/tenant-transaction.ts'
import type { Vaults } from '../../platform/db/vault.ts'
import { appendAudit } from '../../records/audit/append-audit.sql.ts'
import { insertTenant, insertTenantIntoCell } from './tenant.sql.ts'

class UnknownCell extends OwnError {
  override readonly name = 'UnknownCell'
}

/**
 * A new tenant in a cell. Two databases, so two transactions: the cell first, because a tenant that is in the directory
 * can be called for, and one that is only in a cell is an empty row that nobody ever asks for.
 */
export async function createTenant(
  databases: Databases,
  vaults: Vaults,
  { name, cell, by }: { name: string; cell: string; by?: Actor },
): Promise<string> {
  if (!databases.cells.has(cell))
    throw new UnknownCell(`There is no cell ${cell}: CELLS names ${[...databases.cells.keys()].join(', ')}.`)
  const tenantId = newId()
  await inCellTransaction(databases, { cell, tenantId }, async (tx) => {
    await insertTenantIntoCell(tx, tenantId)
    await vaults.addKey(tx, tenantId)
  })
  await inDirectoryTransaction(databases, { tenantId, access: 'write' }, async (tx) => {
    await insertTenant(tx, { tenantId, name, cell })
    const subject = { type: 'tenant', id: tenantId }
    if (by) await appendAudit(tx, by, { action: 'tenant.created', subject, after: { cell } })
  })
  return tenantId
}
