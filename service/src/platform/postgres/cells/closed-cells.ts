import type pg from 'pg'
import { DatabaseUnavailable } from '../sql-errors.ts'

/** Pools of cells that lack migrations which this process needs. */
const closed = new WeakSet<pg.Pool>()

/** Makes this process respond 503 to requests of a cell's tenants, or stops that. */
export function closeCell(pool: pg.Pool, isClosed: boolean): void {
  if (isClosed) closed.add(pool)
  else closed.delete(pool)
}

/** The caller's cell is not ready for this release; other cells may be. */
export class CellClosed extends DatabaseUnavailable {}

export function requireOpenCell(pool: pg.Pool, cell: string): void {
  if (closed.has(pool)) throw new CellClosed(`Cell ${cell} lacks migrations of this release.`)
}
