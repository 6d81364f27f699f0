import type { Static, TSchema } from 'typebox'
import type { KeysetRow } from './keyset-list.ts'

/** A row whose columns have the names of the API. Its times are not formatted yet. */
export type ApiRow<Item extends TSchema, Times extends keyof Static<Item> = never> = {
  [Name in keyof Static<Item>]: Name extends Times ? Date | Exclude<Static<Item>[Name], string> : Static<Item>[Name]
}

type View<Row> = {
  [Name in Exclude<keyof Row, 'cursorId' | 'sortKey'>]: Date extends Row[Name]
    ? string | Exclude<Row[Name], Date>
    : Row[Name]
}

/** Formats the times of a row, and leaves out what only cursors need. */
export function viewApiRow<Row extends object>({ cursorId: _id, sortKey: _key, ...row }: Row & KeysetRow): View<Row> {
  const members = Object.entries(row).map(([name, value]) => [
    name,
    value instanceof Date ? value.toISOString() : value,
  ])
  return Object.fromEntries(members) as View<Row>
}
