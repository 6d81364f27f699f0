import { type RefObject, useState } from 'react'

/** The row of a table that has the focus, or had it last. */
export interface RowFocus {
  readonly current: number
  /** Called when a row receives the focus. */
  readonly onFocus: (index: number) => void
  readonly move: (to: number) => void
  /** Returns the focus from anywhere on the page to the row that had it last. */
  readonly restore: () => void
}

/** Moves the focus between the rows of a table, including rows that are not rendered yet. */
export function useRowFocus(
  frame: RefObject<HTMLElement | null>,
  count: number,
  scrollTo: (index: number) => void,
): RowFocus {
  const [focused, setFocused] = useState(0)
  const current = Math.min(focused, count - 1)

  function move(to: number): void {
    const index = Math.max(0, Math.min(count - 1, to))
    setFocused(index)
    scrollTo(index)
    const row = () => frame.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)
    // Focuses at once, so that the row already gets the next key, unless the row must be rendered first.
    if (row()) row()?.focus({ preventScroll: true })
    else requestAnimationFrame(() => row()?.focus())
  }

  return { current, onFocus: setFocused, move, restore: () => move(current) }
}
