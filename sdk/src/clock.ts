import type { AbortSignalLike } from './web-types.ts'

/** Time as the client sees it. Another one may be given, so that a test can pass minutes in a moment. */
export interface Clock {
  /** Milliseconds from an arbitrary moment, never going back. */
  now(): number
  /** Ends after so many milliseconds, or rejects with the signal's reason as soon as it aborts. */
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
