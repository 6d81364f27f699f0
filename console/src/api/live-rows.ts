import { useState } from 'react'

/** Changes of a live update that a list does not show yet. */
export interface ListChanges {
  /** Number of rows that it added. */
  readonly newCount: number
  /** Ids of the rows that it removed. */
  readonly goneIds: ReadonlySet<string>
  readonly show: () => void
}

interface LivePage<Item> {
  readonly results: readonly Item[]
  readonly pagination: { readonly next: string | null }
  readonly isLive: boolean
}

interface Shown<Item> {
  readonly hash: string
  readonly pages: readonly LivePage<Item>[]
  readonly items: readonly Item[]
  readonly newCount: number
  readonly goneIds: ReadonlySet<string>
}

/** Returns the rows to show: all fetched rows or, after a live update, the earlier rows with their new values. */
export function useLiveRows<Item>(
  hash: string,
  pages: readonly LivePage<Item>[],
): { items: readonly Item[]; changes: ListChanges } {
  const [shown, setShown] = useState(() => allOf(hash, pages))
  let current = shown
  if (shown.pages !== pages || shown.hash !== hash) {
    const isUpdate = shown.hash === hash && shown.items.length > 0 && pages[0]?.isLive
    current = isUpdate ? mergeRows(shown, pages) : allOf(hash, pages)
    setShown(current)
  }
  const { items, newCount, goneIds } = current
  return { items, changes: { newCount, goneIds, show: () => setShown(allOf(hash, pages)) } }
}

function allOf<Item>(hash: string, pages: readonly LivePage<Item>[]): Shown<Item> {
  return { hash, pages, items: pages.flatMap(({ results }) => results), newCount: 0, goneIds: new Set() }
}

/** Appends the rows of newly loaded pages. Other new rows are only counted. */
export function mergeRows<Item>(before: Shown<Item>, pages: readonly LivePage<Item>[]): Shown<Item> {
  const fresh = pages.flatMap(({ results }) => results)
  const byId = new Map(fresh.map((item) => [idOf(item), item]))
  // Without ids, rows cannot be compared.
  if (byId.has(undefined)) return allOf(before.hash, pages)
  const known = new Set(before.items.map(idOf))
  const appended = pages.slice(before.pages.length).flatMap(({ results }) => results.filter((item) => isNew(item)))
  const newCount = fresh.filter((item) => isNew(item)).length - appended.length
  const items = [...before.items.map((item) => byId.get(idOf(item)) ?? item), ...appended]
  return { hash: before.hash, pages, items, newCount, goneIds: goneOf() }

  function isNew(item: Item): boolean {
    return !known.has(idOf(item))
  }

  /** Ignores rows after the last one that remains: they may have moved to a page that is not loaded. */
  function goneOf(): ReadonlySet<string> {
    const isWhole = pages.at(-1)?.pagination.next === null
    const end = isWhole ? before.items.length : before.items.findLastIndex((item) => byId.has(idOf(item)))
    const gone = before.items.slice(0, end).map(idOf)
    return new Set(gone.filter((id) => id !== undefined && !byId.has(id)) as string[])
  }
}

function idOf(item: unknown): string | undefined {
  const { id } = item as { id?: unknown }
  return typeof id === 'string' ? id : undefined
}
