/** Keys for a screen that is not there yet: `g s a` starts an import, however long the screen takes to load. */
let queued: { readonly key: string; readonly at: number }[] = []

/**
 * Longest time that a key waits. Then the person has seen that nothing happened. It is also how long a browser lets a
 * page open a file chooser after a key.
 */
const queuedMs = 5_000
/** From the arrival of data to the screen that shows it, on a slow machine. */
const renderMs = 500
let busyAt = 0

const never = () => false
let isScreenOpening = never
let isDataLoading = never

/** Says when keys are too early: another screen is being opened, or the one that is shown has no data yet. */
export function queueKeysWhile(isOpening: () => boolean, isLoading: () => boolean): () => void {
  isScreenOpening = isOpening
  isDataLoading = isLoading
  return () => {
    isScreenOpening = isDataLoading = never
  }
}

/** Whether a key must wait for a screen, or for keys that wait already. */
export function isTooEarly(): boolean {
  return queued.length > 0 || isScreenOpening()
}

/** Whether what a key means may not be known yet. */
export function isMeaningLoading(): boolean {
  return isDataLoading()
}

export function queueKey({ key, timeStamp: at }: KeyboardEvent): void {
  queued.push({ key, at })
  if (queued.length === 1) requestAnimationFrame(replay)
}

/** The person goes elsewhere: what was pressed before was meant for a screen that they do not wait for. */
export function dropQueuedKeys(): void {
  queued = []
}

/** One key in each frame, so that what the key before has changed is on the screen. */
function replay(): void {
  const now = performance.now()
  queued = queued.filter(({ at }) => now - at < queuedMs)
  const [first] = queued
  if (!first) return
  if (isScreenOpening() || isDataLoading()) busyAt = now
  if (!isScreenOpening()) {
    // It reaches the listeners of this page only: a browser neither types it nor activates a button by it, so it cannot
    // confirm a dialog that the person has not seen.
    const event = new KeyboardEvent('keydown', { key: first.key, bubbles: true, cancelable: true })
    const target = document.activeElement ?? document.body
    target.dispatchEvent(event)
    if (event.defaultPrevented || now - busyAt > renderMs) queued = queued.filter((one) => one !== first)
  }
  requestAnimationFrame(replay)
}
