import { raw, type Sql, sql } from '../../postgres/sql.ts'
import { type Page, pageLimitMax } from './page.ts'

/**
 * Returns the condition and order that select a page of a list whose elements have dense positions: one index seek at
 * any offset, without counting or skipping rows. `count` is an expression for the parent's counter, so that one round
 * trip can read both the page and the counter.
 */
export function pageCut(position: Sql, count: Sql, { direction, limit, offset }: Page): { where: Sql; orderBy: Sql } {
  if (direction === 'asc')
    return {
      where: sql`${position} >= ${offset}::bigint and ${position} < ${offset}::bigint + ${limit}::bigint`,
      orderBy: sql`${position} limit ${rowsMax}`,
    }
  // Each bound is a separate subquery. From version 15.20 on, PostgreSQL treats an expression with the counter inside
  // the condition as a filter and not as an index condition, since row-level security trusts no function with it.
  return {
    where: sql`
      ${position} < (select ${count} - ${offset}::bigint)
      and ${position} >= (select ${count} - ${offset}::bigint - ${limit}::bigint)`,
    orderBy: sql`${position} desc limit ${rowsMax}`,
  }
}

// A hint for the planner: the condition never matches more rows. The planner knows neither the counter nor the
// parameters and expects one in 200 rows to match. For ten million rows it would plan for 50,000 and read every account
// to join 50. A literal, because the planner would not know the value of a parameter either.
const rowsMax = raw(String(pageLimitMax))
