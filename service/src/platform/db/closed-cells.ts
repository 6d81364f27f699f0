import type pg from 'pg'
import { DatabaseUnavailable } from './sql-errors.ts'

/** Pools of cells whose migrations this process needs and that have not run. */
const closed = new WeakSet<pg.Pool>()

/** From now on the requests of the tenants of a cell get 503 from this process, or no longer. */
export function closeCell(pool: pg.Pool, isClosed: boolean): void {
  if (isClosed) closed.add(pool)
  else closed.delete(pool)
}

/** The caller's cell, and no other, is not ready for this release. */
export class CellClosed extends DatabaseUnavailable {}

export function requireOpenCell(pool: pg.Pool, cell: string): void {
  if (closed.has(pool)) throw new CellClosed(`Cell ${cell} lacks migrations of this release.`)
}
