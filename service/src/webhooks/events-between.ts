import { restoreGap } from '../records/restore/raise-event-numbers.sql.ts'

/**
 * Counts the events after one sequence number up to another. Numbers are consecutive except after a restore, which
 * skips restoreGap - 1 of them. The remainder is the count, because a tenant never has that many events.
 */
export function eventsBetween(after: number, until: number): number {
  return (until - after) % (restoreGap - 1)
}
