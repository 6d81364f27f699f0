import type { Config } from '../base/config.ts'
import type { Logger } from '../base/log.ts'
import { logFailure } from '../base/log-failure.ts'
import { observedGauge } from '../base/metric.ts'
import { type RunningLoop, runLoop } from '../base/run-loop.ts'
import type { LeaseKind } from '../postgres/cells/cell-lease.sql.ts'
import { CellLeases } from '../postgres/cells/cell-leases.ts'
import type { Databases } from '../postgres/pools.ts'

interface ServedCellsOptions<Unit> {
  readonly kind: LeaseKind
  readonly config: Config
  readonly databases: Databases
  readonly log: Logger
  /** Starts the work on one cell, with the worker's login. */
  readonly start: (cell: string, url: string) => Unit
}

/**
 * The cells that a worker or an indexer works on, each with its own unit of work. These are all cells if `CELLS` lists
 * them or if the installation has no more than a process may serve, and otherwise those that the process has leased.
 * Cells come and go without a restart.
 */
export class ServedCells<Unit extends { stop(): Promise<void> }> {
  readonly #options: ServedCellsOptions<Unit>
  readonly #leases: CellLeases
  readonly #units = new Map<string, { url: string; unit: Unit }>()
  readonly #stopping = new Set<Promise<void>>()
  #hasLeases = false
  #looping: RunningLoop | undefined

  constructor(options: ServedCellsOptions<Unit>) {
    this.#options = options
    this.#leases = new CellLeases(options.databases, options.kind)
  }

  /** Resolves once the cells that need no lease are served. */
  async start(): Promise<void> {
    const first = Promise.withResolvers<void>()
    this.#looping = runLoop(`choose cells for the ${this.#options.kind}`, everyMs, async () => {
      await logFailure(this.#options.log, 'the cells to serve could not be chosen', () => this.#choose())
      first.resolve()
    })
    observed.add(this)
    await first.promise
  }

  units(): readonly Unit[] {
    return [...this.#units.values()].map(({ unit }) => unit)
  }

  get served(): { kind: LeaseKind; count: number } {
    return { kind: this.#options.kind, count: this.#units.size }
  }

  async stop(): Promise<void> {
    observed.delete(this)
    await this.#looping?.stop()
    await Promise.all([...this.#units.values()].map(({ unit }) => unit.stop()))
    await Promise.all(this.#stopping)
    if (this.#hasLeases)
      await logFailure(this.#options.log, 'the leases could not be given back', () => this.#leases.end())
  }

  async #choose(): Promise<void> {
    const { config, databases, start, log } = this.#options
    const all = [...databases.cells.keys()]
    const needsLeases = !config.areCellsListed && all.length > config.cellsPerProcessMax
    const wanted = needsLeases ? await this.#leases.renew(all, config.cellsPerProcessMax) : all
    this.#hasLeases ||= needsLeases
    const urls = new Map(wanted.map((cell) => [cell, databases.workerUrlOf(cell)]))
    for (const [cell, { url, unit }] of this.#units)
      if (urls.get(cell) !== url) {
        log.info({ cell }, 'no longer working on the cell')
        this.#units.delete(cell)
        // Not awaited: jobs may take half a minute to end, and leases must be renewed in the meantime.
        const stopping = unit.stop().finally(() => this.#stopping.delete(stopping))
        this.#stopping.add(stopping)
      }
    for (const [cell, url] of urls)
      if (!this.#units.has(cell)) {
        log.info({ cell }, 'working on the cell')
        this.#units.set(cell, { url, unit: start(cell, url) })
      }
  }
}

/** A fifth of the time after which leases expire. */
const everyMs = 3_000

const observed = new Set<{ readonly served: { kind: LeaseKind; count: number } }>()
observedGauge('cells_served', {
  description: 'Cells that the process works on',
  labels: ['kind'],
  read: (observe) => {
    for (const { served } of observed) observe(served.count, { kind: served.kind })
  },
})
