import type { AbortSignalLike } from './web-types.ts'

/** The client's time source. Tests pass their own to make minutes go by at once. */
export interface Clock {
  /** Monotonic milliseconds since an arbitrary start. */
  now(): number
  /** Resolves after the given time, or rejects with the signal's reason when it aborts. */
  sleep(milliseconds: number, signal?: AbortSignalLike): Promise<void>
}

export const systemClock: Clock = {
  now: () => performance.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error)
      const stop = () => {
        clearTimeout(timer)
        reject(signal?.reason as Error)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop)
        resolve()
      }, milliseconds)
      signal?.addEventListener('abort', stop, { once: true })
    }),
}
