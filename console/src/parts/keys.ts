import { useLayoutEffect } from 'react'
import { dropQueuedKeys, isMeaningLoading, isTooEarly, queueKey } from './queued-keys.ts'

/** Effect of each key, or sequence of two keys such as `g o`. */
export type KeyBindings = Readonly<Record<string, () => void>>

/** Begins a sequence of two keys. The second key then has no effect of its own. */
const prefix = 'g'
/** Longest pause between two keys of a sequence. It is generous because a busy browser notices keys late. */
const sequenceMs = 2_000

/** Bindings of every mounted component. The first that binds a key gets it. */
const bound = new Set<{ readonly bindings: KeyBindings }>()

/** Binds keys while the component is mounted. Fields and dialogs keep the keys typed into them. */
export function useKeys(bindings: KeyBindings): void {
  // Binds before the screen is painted, so that a person can use whatever they see.
  useLayoutEffect(() => {
    const entry = { bindings }
    bound.add(entry)
    return () => {
      bound.delete(entry)
    }
  }, [bindings])
}

let previous = { key: '', at: 0 }

/** Runs before the handlers of elements, so that `g a` is never an `a`, and keys that come too early are queued. */
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

/** Runs after the handlers of elements, because a table row has keys of its own. */
function onKeyDownUnused(event: KeyboardEvent): void {
  if (event.defaultPrevented || !isForPage(event)) return
  if (event.key === 'Enter' && isControl(event.target)) return
  if (!run(event, event.key) && event.isTrusted && isMeaningLoading()) enqueue(event)
}

document.addEventListener('keydown', onKeyDown, { capture: true })
document.addEventListener('keydown', onKeyDownUnused)

/** Queues a key, unless it only moves the focus, such as Tab: that is the browser's. */
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

/** Returns true if the element itself uses Enter, such as a button. An already selected list entry does not. */
function isControl(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && !!target.closest('a, button, summary, tr')?.matches(':not([aria-current="true"])')
  )
}
