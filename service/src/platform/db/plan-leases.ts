/** A process that has leased a cell. */
export interface CellLease {
  readonly process: string
  readonly cell: string
}

interface Plan {
  /** Cells to serve from now on. */
  readonly taken: readonly string[]
  /** Cells to leave to other processes. */
  readonly released: readonly string[]
}

/** So that losing one process stops no cell. */
const processesPerCell = 2

/**
 * Which cells a process leases, or no longer leases, so that in the end each cell has two processes, no process has more
 * than `cellsMax`, and all have about as many. If there are too few processes for two, each cell gets one first.
 */
export function planLeases(
  { cells, processes, leases }: { cells: readonly string[]; processes: number; leases: readonly CellLease[] },
  own: { process: string; cellsMax: number },
): Plan {
  const share = Math.min(own.cellsMax, Math.ceil((processesPerCell * cells.length) / Math.max(1, processes)))
  const countOf = new Map(cells.map((cell) => [cell, 0]))
  for (const { cell } of leases) countOf.set(cell, (countOf.get(cell) ?? 0) + 1)
  const isOwn = new Set(leases.filter(({ process }) => process === own.process).map(({ cell }) => cell))
  const byCount = (a: string, b: string) => (countOf.get(a) ?? 0) - (countOf.get(b) ?? 0) || a.localeCompare(b)
  const missing = cells
    .filter((cell) => !isOwn.has(cell) && (countOf.get(cell) ?? 0) < processesPerCell)
    .toSorted(byCount)
  // Those that most other processes serve too.
  const surplus = [...isOwn].toSorted(byCount).slice(share)
  return { taken: missing.slice(0, Math.max(0, share - isOwn.size)), released: surplus }
}
