import { useEffect } from 'react'

/** What a key or a sequence of two keys does, such as `g o`. */
export type KeyBindings = Readonly<Record<string, () => void>>

/** Longest pause between two keys of a sequence. */
const sequenceMs = 1_000

/** Binds keys while the component is shown. Keys typed into fields and dialogs stay theirs. */
export function useKeys(bindings: KeyBindings): void {
  useEffect(() => {
    let before = { key: '', at: 0 }
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      if (event.key === 'Enter' && isControl(event.target)) return
      const now = performance.now()
      const sequence = now - before.at < sequenceMs ? `${before.key} ${event.key}` : ''
      const run = bindings[sequence] ?? bindings[event.key]
      before = { key: event.key, at: now }
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
