import { raw, type Sql, sql } from '../../db/sql.ts'
import { type Page, pageLimitMax } from './page.ts'

/**
 * The condition and order that select a page of a list whose elements have dense positions. One index seek at any
 * offset: no counting, no skipped rows. `count` is an expression for the parent's counter, so that one round trip can
 * read both the page and the counter.
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
// parameters and estimates the condition at one in 200 rows. Of ten million that is a plan for 50,000, which reads
// every account to join 50. A literal and not a parameter, whose value the planner would not know either.
const rowsMax = raw(String(pageLimitMax))
