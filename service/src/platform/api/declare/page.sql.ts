import { raw, type Sql, sql } from '../../db/sql.ts'
import { type Page, pageLimitMax } from './page.ts'

/**
 * The condition and order that cut a page out of a list whose elements have dense positions. One index seek at any
 * offset: nothing is counted and nothing passed over. `count` is an expression for the parent's counter, so that the
 * page and the counter can be asked for in one round trip.
 */
export function pageCut(position: Sql, count: Sql, { direction, limit, offset }: Page): { where: Sql; orderBy: Sql } {
  if (direction === 'asc')
    return {
      where: sql`${position} >= ${offset}::bigint and ${position} < ${offset}::bigint + ${limit}::bigint`,
      orderBy: sql`${position} limit ${mostRows}`,
    }
  // Each bound is a question of its own: what is reckoned with the counter within the condition is a filter to
  // PostgreSQL, from 15.20 on, and no place in the index, since row-level security lets it trust no function with it.
  return {
    where: sql`
      ${position} < (select ${count} - ${offset}::bigint)
      and ${position} >= (select ${count} - ${offset}::bigint - ${limit}::bigint)`,
    orderBy: sql`${position} desc limit ${mostRows}`,
  }
}

/**
 * The order and cut of a list that a filter makes anew for each question, so that its elements have no positions. Ids
 * sort by time. What it passes over it must read, and its count is counted: for operators, who narrow a list down.
 */
export function filteredCut(id: Sql, { direction, limit, offset }: Page): Sql {
  const order = direction === 'asc' ? raw('asc') : raw('desc')
  return sql`order by ${id} ${order} limit ${limit}::bigint offset ${offset}::bigint`
}

// Takes nothing away: the condition lets no more through. But the planner, who knows neither the counter nor the
// parameters, takes the condition for one in 200 rows: of ten million that is a plan for 50,000, which reads every
// account to join 50. As a number in the text, since of a parameter it would think the same.
const mostRows = raw(String(pageLimitMax))
