import type { CellRow } from '../../platform/db/cell.sql.ts'

/** What decides where a new tenant goes. */
export type CellRoom = Pick<CellRow, 'name' | 'state' | 'jurisdiction' | 'capacityBytes' | 'usedBytes' | 'tenantCount'>

/**
 * Chooses the open cell with most room for a new tenant; undefined if no cell may have it. How much a tenant will store
 * is unknown when it is created, and a cell is measured once a minute, so each tenant also counts with a fixed amount
 * for its growth: many tenants that are created within a minute go to different cells. Rejected: a hash
 * of the tenant, which evens out numbers and not sizes.
 */
export function chooseCell(cells: Iterable<CellRoom>, jurisdiction?: string): string | undefined {
  let chosen: { name: string; room: number } | undefined
  for (const cell of cells) {
    if (cell.state !== 'open' || (jurisdiction !== undefined && cell.jurisdiction !== jurisdiction)) continue
    const room = roomIn(cell)
    // An equal amount of room must not depend on the order of rows.
    if (!chosen || room > chosen.room || (room === chosen.room && cell.name < chosen.name))
      chosen = { name: cell.name, room }
  }
  return chosen && chosen.room >= 0 ? chosen.name : undefined
}

/** New tenants stop at four fifths: those that are there keep growing. */
export const fullShare = 0.8

/** The growth of one tenant that is expected before an operator would move it. */
export const growthBytes = 100_000_000

function roomIn({ capacityBytes, usedBytes, tenantCount }: CellRoom): number {
  return capacityBytes * fullShare - usedBytes - tenantCount * growthBytes
}
