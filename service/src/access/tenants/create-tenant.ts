import type { Actor } from '../../platform/api/declare/audit.ts'
import { newId } from '../../platform/base/ids.ts'
import { LoggableError } from '../../platform/base/log.ts'
import { selectCells } from '../../platform/postgres/cell.sql.ts'
import { inCellTransaction, inDirectoryTransaction } from '../../platform/postgres/cells/tenant-transaction.ts'
import type { Databases } from '../../platform/postgres/pools.ts'
import type { Vaults } from '../../platform/postgres/vault.ts'
import { appendAudit } from '../../records/audit/append-audit.sql.ts'
import { insertTenantSettings } from '../settings/tenant-settings.sql.ts'
import { chooseCell } from './choose-cell.ts'
import { insertTenant, insertTenantIntoCell } from './tenant.sql.ts'

class CellUnavailable extends LoggableError {
  override readonly name = 'CellUnavailable'
}

interface NewTenant {
  readonly name: string
  /** Default: the open cell with the most room. */
  readonly cell?: string | undefined
  /** Required location of its data, if the cell is chosen automatically. */
  readonly jurisdiction?: string | undefined
  readonly identityProvider?: string | null
  readonly by?: Actor
}

/**
 * Creates a tenant in a cell. Two databases need two transactions. The cell comes first: a tenant in the directory can
 * receive requests at once, while a row that exists only in the cell is never read.
 */
export async function createTenant(
  databases: Databases,
  vaults: Vaults,
  { by, name, jurisdiction, identityProvider = null, ...wanted }: NewTenant,
): Promise<{ tenantId: string; cell: string }> {
  const tenantId = newId()
  const cell = wanted.cell ?? (await roomiestCell(databases, tenantId, jurisdiction))
  if (!databases.cells.has(cell))
    throw new CellUnavailable(`Cell ${cell} does not exist. Known are ${[...databases.cells.keys()].join(', ')}.`)
  await inCellTransaction(databases, { cell, tenantId }, async (tx) => {
    await insertTenantIntoCell(tx, tenantId)
    await insertTenantSettings(tx, tenantId)
    await vaults.addKey(tx, tenantId)
  })
  await inDirectoryTransaction(databases, { tenantId, access: 'write' }, async (tx) => {
    await insertTenant(tx, { tenantId, name, cell, identityProvider })
    const subject = { type: 'tenant', id: tenantId }
    if (by)
      await appendAudit(tx, by, {
        action: 'tenant.created',
        subject,
        after: { cell, identity_provider: identityProvider },
      })
  })
  return { tenantId, cell }
}

/** Chooses among the cells that this process knows: `CELLS` may list fewer than the directory. */
async function roomiestCell(databases: Databases, tenantId: string, jurisdiction?: string): Promise<string> {
  const cells = await inDirectoryTransaction(databases, { tenantId, access: 'read' }, selectCells)
  const chosen = chooseCell(
    cells.filter(({ name }) => databases.cells.has(name)),
    jurisdiction,
  )
  if (chosen === undefined)
    throw new CellUnavailable(
      `No open cell${jurisdiction ? ` in ${jurisdiction}` : ''} has room for another tenant: add one with add-cell.`,
    )
  return chosen
}
