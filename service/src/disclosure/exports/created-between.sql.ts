import { rowIdAt } from '../../platform/base/ids.ts'
import { join, type Sql, sql } from '../../platform/postgres/sql.ts'
import type { BatchRequest } from './export-source.ts'

/** Ids come from a process's clock, `created_at` from the database's. */
const clockDifferenceMs = 3_600_000

/**
 * Returns the condition for an export's next rows, by id. Ids sort by time, so a range of time is also a range of ids:
 * otherwise finding a month in the middle of ten million rows would read all rows before it.
 */
export function createdBetween(
  { id, createdAt }: { id: Sql; createdAt: Sql },
  { exportId, filter: { from, to }, after }: BatchRequest,
): Sql {
  const idAround = (time: string, ms: number) => rowIdAt(new Date(new Date(time).getTime() + ms))
  return join(
    [
      sql`${id} < ${exportId}`,
      ...(after === null ? [] : [sql`${id} > ${after}`]),
      ...(from === undefined
        ? []
        : [sql`${createdAt} >= ${from}::timestamptz`, sql`${id} > ${idAround(from, -clockDifferenceMs)}`]),
      ...(to === undefined
        ? []
        : [sql`${createdAt} < ${to}::timestamptz`, sql`${id} < ${idAround(to, clockDifferenceMs)}`]),
    ],
    ' and ',
  )
}
