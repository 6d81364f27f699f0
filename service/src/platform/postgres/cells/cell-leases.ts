import { randomUUID } from 'node:crypto'
import type { Databases } from '../pools.ts'
import {
  deleteLeases,
  deleteProcess,
  insertLeases,
  type LeaseKind,
  lockLeases,
  renewProcess,
  selectLeases,
  selectProcesses,
} from './cell-lease.sql.ts'
import { planLeases } from './plan-leases.ts'
import { inDirectoryWithoutTenant } from './tenant-transaction.ts'

/**
 * The cells that a worker or an indexer serves if there are too many for one process. Leases spread the work but
 * exclude no one: several processes may safely work in the same cell at once. So a process that cannot reach the
 * directory keeps serving its cells.
 */
export class CellLeases {
  readonly #databases: Databases
  readonly #kind: LeaseKind
  readonly #process: string = randomUUID()

  constructor(databases: Databases, kind: LeaseKind) {
    this.#databases = databases
    this.#kind = kind
  }

  /** Renews the leases, takes free ones or leaves some to others, and returns the cells to serve. */
  renew(cells: readonly string[], cellsMax: number): Promise<string[]> {
    const own = { kind: this.#kind, process: this.#process }
    return inDirectoryWithoutTenant(this.#databases, async (tx) => {
      await lockLeases(tx, own.kind)
      await renewProcess(tx, own.kind, own.process)
      const leases = await selectLeases(tx, own.kind)
      const processes = await selectProcesses(tx, own.kind)
      const { taken, released } = planLeases({ cells, processes, leases }, { process: own.process, cellsMax })
      await insertLeases(tx, own, taken)
      await deleteLeases(tx, own, released)
      const kept = leases.filter(({ process, cell }) => process === own.process && !released.includes(cell))
      return [...kept.map(({ cell }) => cell), ...taken].filter((cell) => cells.includes(cell))
    })
  }

  /** Lets other processes take over at once. */
  async end(): Promise<void> {
    await inDirectoryWithoutTenant(this.#databases, (tx) => deleteProcess(tx, this.#kind, this.#process))
  }
}
