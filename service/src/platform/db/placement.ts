import type { Pool } from 'pg'
import { OwnError } from '../base/log.ts'
import type { Databases } from './pools.ts'
import { sql } from './sql.ts'
import { DatabaseUnavailable } from './sql-errors.ts'
import { inTransaction } from './transaction.ts'

/** The tenant is in no directory, so it has no rows anywhere. */
class UnknownTenant extends OwnError {
  override readonly name = 'UnknownTenant'
}

/** Tenant -> cell. Asked on every request, so remembered until a change notice names the tenant. */
export class Placement {
  readonly #databases: Databases
  readonly #cellOfTenant = new Map<string, string>()

  constructor(databases: Databases) {
    this.#databases = databases
  }

  async poolOf(tenantId: string): Promise<Pool> {
    const cell = this.#cellOfTenant.get(tenantId) ?? (await this.#lookUp(tenantId))
    const pool = this.#databases.cells.get(cell)
    if (!pool) throw new DatabaseUnavailable(`Cell ${cell} is in the directory but not in CELLS: add it there.`)
    return pool
  }

  forget(tenantId: string): void {
    this.#cellOfTenant.delete(tenantId)
  }

  async #lookUp(tenantId: string): Promise<string> {
    const found = await inTransaction(this.#databases.directory, { access: 'read', identity: { tenantId } }, (tx) =>
      tx.row<{ cell: string }>(sql`select cell from directory.tenant where id = ${tenantId}`),
    )
    if (!found) throw new UnknownTenant(`There is no tenant ${tenantId}.`)
    if (this.#cellOfTenant.size >= tenantsRememberedMax) this.#cellOfTenant.clear()
    this.#cellOfTenant.set(tenantId, found.cell)
    return found.cell
  }
}

// About 20 MB at the most. An installation is planned for 100,000 tenants.
const tenantsRememberedMax = 200_000
