import type { Pool } from 'pg'
import { LoggableError } from '../../base/log.ts'
import type { Databases } from '../pools.ts'
import { inTransaction } from '../run-transaction.ts'
import { sql } from '../sql.ts'
import { DatabaseUnavailable } from '../sql-errors.ts'
import { requireOpenCell } from './closed-cells.ts'

/** The directory does not list the tenant, so no cell has its rows. */
class UnknownTenant extends LoggableError {
  override readonly name = 'UnknownTenant'
}

/** The cell of a tenant according to the directory. The cell compares the epoch, which each move increments. */
interface Location {
  readonly cell: string
  readonly epoch: string | undefined
}

/**
 * Maps tenants to cells. Every request needs it, so results are cached until the tenant's cache entry is invalidated.
 */
export class Placement {
  readonly #databases: Databases
  readonly #locations = new Map<string, Location>()

  constructor(databases: Databases) {
    this.#databases = databases
  }

  async cellOf(tenantId: string): Promise<string> {
    return (await this.locationOf(tenantId)).cell
  }

  /** Returns the cell without a query, or undefined if this process has not served the tenant yet. */
  knownCellOf(tenantId: string): string | undefined {
    return this.#locations.get(tenantId)?.cell
  }

  /** Returns the pool of the tenant's cell, and the epoch to enter it with. Without an epoch, nothing is checked. */
  async locate(tenantId: string): Promise<{ pool: Pool; epoch: string | undefined }> {
    const { cell, epoch } = await this.locationOf(tenantId)
    const pool = this.#databases.cells.get(cell) ?? (await this.#poolOfNewCell(cell))
    requireOpenCell(pool, cell)
    return { pool, epoch }
  }

  forget(tenantId: string): void {
    this.#locations.delete(tenantId)
  }

  protected async locationOf(tenantId: string): Promise<Location> {
    return this.#locations.get(tenantId) ?? this.#lookUp(tenantId)
  }

  /** A tenant can be in a cell before the notice of the new cell reaches this process. */
  async #poolOfNewCell(cell: string): Promise<Pool> {
    await this.#databases.refreshCells()
    const pool = this.#databases.cells.get(cell)
    if (!pool) throw new DatabaseUnavailable(`Cell ${cell} has tenants but is neither in CELLS nor in directory.cell.`)
    return pool
  }

  async #lookUp(tenantId: string): Promise<Location> {
    const found = await inTransaction(this.#databases.directory, { access: 'read', identity: { tenantId } }, (tx) =>
      tx.row<Location>(sql`select cell, epoch from directory.tenant where id = ${tenantId}`),
    )
    if (!found) throw new UnknownTenant(`Tenant ${tenantId} does not exist.`)
    if (this.#locations.size >= cachedTenantsMax) this.#locations.clear()
    this.#locations.set(tenantId, found)
    return found
  }
}

/** Placement for work on a cell that must not depend on the directory, such as preparing it after a restore. */
export class OneCellPlacement extends Placement {
  readonly #cell: string

  constructor(databases: Databases, cell: string) {
    super(databases)
    this.#cell = cell
  }

  protected override async locationOf(): Promise<Location> {
    return { cell: this.#cell, epoch: undefined }
  }
}

// About 20 MB at most. An installation is designed for 100,000 tenants.
const cachedTenantsMax = 200_000
