import { useLayoutEffect } from 'react'

/** What a key or a sequence of two keys does, such as `g o`. */
export type KeyBindings = Readonly<Record<string, () => void>>

/** Begins a sequence of two keys; the second is then no key by itself. */
const prefix = 'g'
/** Longest pause between two keys of a sequence. */
const sequenceMs = 1_000

/** The last two keys, one memory for all components: `g a` must not be an `a` for the one that does not know `g a`. */
let latest: { event?: KeyboardEvent; key: string; at: number } = { key: '', at: 0 }
let previous = latest

function isAfterPrefix(event: KeyboardEvent): boolean {
  if (latest.event !== event) {
    previous = latest
    latest = { event, key: event.key, at: performance.now() }
  }
  return previous.key === prefix && latest.at - previous.at < sequenceMs
}

/** Binds keys while the component is shown. Keys typed into fields and dialogs stay theirs. */
export function useKeys(bindings: KeyBindings): void {
  // Before the screen is painted: what a person sees, they can use.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      if (event.key === 'Enter' && isControl(event.target)) return
      const run = bindings[isAfterPrefix(event) ? `${prefix} ${event.key}` : event.key]
      if (!run) return
      event.preventDefault()
      run()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [bindings])
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || !!target.closest('input, textarea, select, [role="dialog"], [role="menu"]')
}

/** Enter on a button is the button's, except on what is chosen in a list already. */
function isControl(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && !!target.closest('a, button, summary, tr')?.matches(':not([aria-current="true"])')
  )
}
