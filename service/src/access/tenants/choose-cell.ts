import type { CellRow } from '../../platform/postgres/cell.sql.ts'

/** Columns of a cell that decide where a new tenant goes. */
export type CellRoom = Pick<CellRow, 'name' | 'state' | 'jurisdiction' | 'capacityBytes' | 'usedBytes' | 'tenantCount'>

/**
 * Chooses the open cell with the most room for a new tenant; undefined if no cell may have it. A new tenant's size is
 * unknown, and a cell is measured once a minute, so each tenant also counts with a fixed amount for its growth: many
 * tenants that are created within a minute go to different cells. Rejected: a hash of the tenant, which balances the
 * number of tenants but not their sizes.
 */
export function chooseCell(cells: Iterable<CellRoom>, jurisdiction?: string): string | undefined {
  let chosen: { name: string; room: number } | undefined
  for (const cell of cells) {
    if (cell.state !== 'open' || (jurisdiction !== undefined && cell.jurisdiction !== jurisdiction)) continue
    const room = roomIn(cell)
    // The name breaks a tie, so that the choice does not depend on the order of rows.
    if (!chosen || room > chosen.room || (room === chosen.room && cell.name < chosen.name))
      chosen = { name: cell.name, room }
  }
  return chosen && chosen.room >= 0 ? chosen.name : undefined
}

/** New tenants stop at four fifths, because existing ones keep growing. */
export const fullShare = 0.8

/** Expected growth of one tenant before an operator would move it. */
export const growthBytes = 100_000_000

function roomIn({ capacityBytes, usedBytes, tenantCount }: CellRoom): number {
  return capacityBytes * fullShare - usedBytes - tenantCount * growthBytes
}
