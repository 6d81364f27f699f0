/** Keys for a screen that is still loading: `g s a` starts an import, however long the screen takes. */
let queued: { readonly key: string; readonly at: number }[] = []

/**
 * Longest time that a key waits. By then the person has noticed that nothing happens. It is also how long a browser
 * lets a page open a file chooser after a key.
 */
const queuedMs = 5_000
/** Longest time from the arrival of data to the screen that shows it, on a slow machine. */
const renderMs = 500
let busyAt = 0

const never = () => false
let isScreenOpening = never
let isDataLoading = never

/** Queues keys that come too early: while another screen opens, or before the current one has data. */
export function queueKeysWhile(isOpening: () => boolean, isLoading: () => boolean): () => void {
  isScreenOpening = isOpening
  isDataLoading = isLoading
  return () => {
    isScreenOpening = isDataLoading = never
  }
}

/** Returns true if a key must wait for a screen, or for keys queued before it. */
export function isTooEarly(): boolean {
  return queued.length > 0 || isScreenOpening()
}

/** Returns true if data is still loading, so that an unbound key may get a meaning. */
export function isMeaningLoading(): boolean {
  return isDataLoading()
}

export function queueKey({ key, timeStamp: at }: KeyboardEvent): void {
  queued.push({ key, at })
  if (queued.length === 1) requestAnimationFrame(replay)
}

/** Drops queued keys when the person goes elsewhere: they were meant for a screen nobody waits for any more. */
export function dropQueuedKeys(): void {
  queued = []
}

/** Replays one key per frame, so that the effect of the previous key is already on the screen. */
function replay(): void {
  const now = performance.now()
  queued = queued.filter(({ at }) => now - at < queuedMs)
  const [first] = queued
  if (!first) return
  if (isScreenOpening() || isDataLoading()) busyAt = now
  if (!isScreenOpening()) {
    // A synthetic event reaches only listeners of this page. The browser neither types it nor activates a button, so it
    // cannot confirm a dialog that the person has not seen.
    const event = new KeyboardEvent('keydown', { key: first.key, bubbles: true, cancelable: true })
    const target = document.activeElement ?? document.body
    target.dispatchEvent(event)
    if (event.defaultPrevented || now - busyAt > renderMs) queued = queued.filter((one) => one !== first)
  }
  requestAnimationFrame(replay)
}
