import type { KeysetPage } from './keyset-list.ts'

interface SortedRow {
  readonly id: string
  readonly sortKey: string
}

/**
 * Merges the same page of several sources into one. Each source has selected one row more than fits, so the page
 * consists of the first rows of them all. Sort keys are times as PostgreSQL prints them, which sort as text.
 */
export function mergeRows<Row extends SortedRow>(
  sources: readonly (readonly Row[])[],
  { direction, limit }: KeysetPage,
): Row[] {
  const sign = direction === 'asc' ? 1 : -1
  return sources
    .flat()
    .toSorted((one, other) => sign * (compared(one.sortKey, other.sortKey) || compared(one.id, other.id)))
    .slice(0, limit + 1)
}

function compared(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
