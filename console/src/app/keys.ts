import { useLayoutEffect } from 'react'
import { dropQueuedKeys, isMeaningLoading, isTooEarly, queueKey } from './queued-keys.ts'

/** What a key or a sequence of two keys does, such as `g o`. */
export type KeyBindings = Readonly<Record<string, () => void>>

/** Begins a sequence of two keys; the second is then no key by itself. */
const prefix = 'g'
/** Longest pause between two keys of a sequence, as a busy browser notices them. */
const sequenceMs = 2_000

/** The bindings of every component that is shown. The first that knows a key gets it. */
const bound = new Set<{ readonly bindings: KeyBindings }>()

/** Binds keys while the component is shown. Keys typed into fields and dialogs stay theirs. */
export function useKeys(bindings: KeyBindings): void {
  // Before the screen is painted: what a person sees, they can use.
  useLayoutEffect(() => {
    const entry = { bindings }
    bound.add(entry)
    return () => {
      bound.delete(entry)
    }
  }, [bindings])
}

let previous = { key: '', at: 0 }

/** Before any element: one memory for sequences, so that `g a` is never an `a`, and keys that are too early wait. */
function onKeyDown(event: KeyboardEvent): void {
  if (!isForPage(event) || event.key === 'Shift') return
  const isSecond = previous.key === prefix && event.timeStamp - previous.at < sequenceMs
  if (event.isTrusted) previous = { key: event.key, at: event.timeStamp }
  if (isSecond) {
    event.stopPropagation()
    run(event, `${prefix} ${event.key}`)
  } else if (event.key === prefix) dropQueuedKeys()
  else if (event.isTrusted && isTooEarly()) {
    event.stopPropagation()
    enqueue(event)
  }
}

/** After the elements, since a row of a table has its keys. */
function onKeyDownUnused(event: KeyboardEvent): void {
  if (event.defaultPrevented || !isForPage(event)) return
  if (event.key === 'Enter' && isControl(event.target)) return
  if (!run(event, event.key) && event.isTrusted && isMeaningLoading()) enqueue(event)
}

document.addEventListener('keydown', onKeyDown, { capture: true })
document.addEventListener('keydown', onKeyDownUnused)

/** Keys that only move, such as Tab, are the browser's. */
function enqueue(event: KeyboardEvent): void {
  if (event.key !== prefix && (event.key.length === 1 || event.key === 'Enter')) queueKey(event)
}

function run(event: KeyboardEvent, name: string): boolean {
  const entry = [...bound].find(({ bindings }) => bindings[name])
  if (!entry) return false
  event.preventDefault()
  entry.bindings[name]?.()
  return true
}

function isForPage({ ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return false
  if (!(target instanceof HTMLElement)) return true
  return !target.isContentEditable && !target.closest('input, textarea, select, [role="dialog"], [role="menu"]')
}

/** Enter on a button is the button's, except on what is chosen in a list already. */
function isControl(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && !!target.closest('a, button, summary, tr')?.matches(':not([aria-current="true"])')
  )
}
