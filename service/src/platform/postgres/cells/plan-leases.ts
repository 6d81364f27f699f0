/** A process that has leased a cell. */
export interface CellLease {
  readonly process: string
  readonly cell: string
}

interface LeaseState {
  readonly cells: readonly string[]
  readonly processes: readonly string[]
  readonly leases: readonly CellLease[]
}

interface Plan {
  /** Cells to serve from now on. */
  readonly taken: readonly string[]
  /** Cells to leave to other processes. */
  readonly released: readonly string[]
}

/** Two, so that losing one process stops no cell. */
const processesPerCell = 2

/**
 * Decides which cells a process leases or releases, so that in the end each cell has two processes, no process has more
 * than `cellsMax`, and all have about as many. If there are too few processes for two, each cell gets one first.
 */
export function planLeases({ cells, processes, leases }: LeaseState, own: { process: string; cellsMax: number }): Plan {
  const share = Math.min(own.cellsMax, Math.ceil((processesPerCell * cells.length) / Math.max(1, processes.length)))
  const holders = new Map(cells.map((cell) => [cell, new Set<string>()]))
  const sizes = new Map(processes.map((process) => [process, 0]))
  for (const { process, cell } of leases) {
    holders.get(cell)?.add(process)
    sizes.set(process, (sizes.get(process) ?? 0) + 1)
  }
  const countOf = (cell: string) => holders.get(cell)?.size ?? 0
  const byCount = (a: string, b: string) => countOf(a) - countOf(b) || a.localeCompare(b)
  const leased = cells.filter((cell) => holders.get(cell)?.has(own.process)).toSorted(byCount)
  const missing = cells.filter((cell) => !leased.includes(cell) && countOf(cell) < processesPerCell).toSorted(byCount)
  const canBeTakenByOthers = (cell: string) =>
    processes.some(
      (process) => process !== own.process && (sizes.get(process) ?? 0) < share && !holders.get(cell)?.has(process),
    )
  const taken = missing.slice(0, Math.max(0, share - leased.length))
  // All processes below their share have this cell already, so this one takes it beyond its own share.
  const room = taken.length > 0 ? 0 : Math.max(0, own.cellsMax - leased.length)
  const extra = missing.filter((cell) => !canBeTakenByOthers(cell)).slice(0, room)
  // Cells that most other processes serve too.
  const surplus = Math.max(0, leased.length - share)
  const released = surplus > 0 ? leased.filter(canBeTakenByOthers).slice(-surplus) : []
  return { taken: [...taken, ...extra], released }
}
