import { restoreGap } from '../records/restore/raise-event-numbers.sql.ts'

/**
 * How many events a tenant has after one sequence number through another. Numbers have no gap but that of a restore,
 * which skips all but the last number of restoreGap, so what remains is the events: there are always fewer of them.
 */
export function eventsBetween(after: number, until: number): number {
  return (until - after) % (restoreGap - 1)
}
