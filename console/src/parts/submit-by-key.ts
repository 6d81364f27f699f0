import type { KeyboardEvent } from 'react'

/** Lets Ctrl+Enter (or Cmd+Enter) submit a form from any field, including one with several lines. */
export function submitByKey(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  event.currentTarget.requestSubmit()
}
