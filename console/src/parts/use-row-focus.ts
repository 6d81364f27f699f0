import { type RefObject, useState } from 'react'

/** Which row of a table has the focus, or had it last. */
export interface RowFocus {
  readonly current: number
  /** The row has got the focus. */
  readonly onFocus: (index: number) => void
  readonly move: (to: number) => void
  /** From anywhere on the page to the row where the person was. */
  readonly restore: () => void
}

/** Moves the focus between the rows of a table, also to one that is not rendered yet. */
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
    // At once, so that the next key already belongs to the row; later if it has to be rendered first.
    if (row()) row()?.focus({ preventScroll: true })
    else requestAnimationFrame(() => row()?.focus())
  }

  return { current, onFocus: setFocused, move, restore: () => move(current) }
}
