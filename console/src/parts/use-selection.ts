import { useState } from 'react'

export interface Selection<Item> {
  readonly ids: ReadonlySet<string>
  /** Selected rows that are still in the list. */
  readonly items: readonly Item[]
  readonly toggle: (id: string) => void
  /** Selects all loaded rows or, if they are selected already, none. */
  readonly toggleAll: () => void
  readonly clear: () => void
}

/** The rows of a table that the person has selected. */
export function useSelection<Item>(rows: readonly Item[], idOf: (item: Item) => string): Selection<Item> {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const items = rows.filter((row) => ids.has(idOf(row)))
  return {
    ids,
    items,
    toggle: (id) => setIds((before) => before.symmetricDifference(new Set([id]))),
    toggleAll: () => setIds(new Set(items.length === rows.length ? [] : rows.map(idOf))),
    clear: () => setIds(new Set()),
  }
}
