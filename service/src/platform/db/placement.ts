import type { Pool } from 'pg'
import { LoggableError } from '../base/log.ts'
import type { Databases } from './pools.ts'
import { sql } from './sql.ts'
import { DatabaseUnavailable } from './sql-errors.ts'
import { inTransaction } from './transaction.ts'

/** The directory does not list the tenant, so no cell has rows of it. */
class UnknownTenant extends LoggableError {
  override readonly name = 'UnknownTenant'
}

/**
 * Maps tenants to cells. Every request needs it, so results are cached until the tenant's cache entry is invalidated.
 */
export class Placement {
  readonly #databases: Databases
  readonly #cellOfTenant = new Map<string, string>()

  constructor(databases: Databases) {
    this.#databases = databases
  }

  async cellOf(tenantId: string): Promise<string> {
    return this.#cellOfTenant.get(tenantId) ?? this.#lookUp(tenantId)
  }

  async poolOf(tenantId: string): Promise<Pool> {
    const cell = await this.cellOf(tenantId)
    const pool = this.#databases.cells.get(cell)
    if (!pool) throw new DatabaseUnavailable(`Cell ${cell} is in the directory but not in CELLS: add it to CELLS.`)
    return pool
  }

  forget(tenantId: string): void {
    this.#cellOfTenant.delete(tenantId)
  }

  async #lookUp(tenantId: string): Promise<string> {
    const found = await inTransaction(this.#databases.directory, { access: 'read', identity: { tenantId } }, (tx) =>
      tx.row<{ cell: string }>(sql`select cell from directory.tenant where id = ${tenantId}`),
    )
    if (!found) throw new UnknownTenant(`Tenant ${tenantId} does not exist.`)
    if (this.#cellOfTenant.size >= cachedTenantsMax) this.#cellOfTenant.clear()
    this.#cellOfTenant.set(tenantId, found.cell)
    return found.cell
  }
}

/** For work on a cell that must not depend on what the directory says, such as preparing it after a restore. */
export class OneCellPlacement extends Placement {
  readonly #cell: string

  constructor(databases: Databases, cell: string) {
    super(databases)
    this.#cell = cell
  }

  override async cellOf(): Promise<string> {
    return this.#cell
  }
}

// About 20 MB at most. An installation is designed for 100,000 tenants.
const cachedTenantsMax = 200_000
