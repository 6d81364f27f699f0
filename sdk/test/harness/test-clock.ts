import type { Clock } from '../../src/sdk.ts'

/** A clock that a test can step forward. Sleeping still takes real time. */
export class SteppedClock implements Clock {
  #stepped = 0

  now(): number {
    return performance.now() + this.#stepped
  }

  step(milliseconds: number): void {
    this.#stepped += milliseconds
  }

  sleep = sleep
}

/** A clock that runs `factor` times faster than real time. */
export class FastClock implements Clock {
  readonly #factor: number
  readonly #origin: number

  constructor(factor: number, origin: number) {
    this.#factor = factor
    this.#origin = origin
  }

  now(): number {
    return this.#origin + (Date.now() - this.#origin) * this.#factor
  }

  sleep(milliseconds: number, signal?: Parameters<Clock['sleep']>[1]): Promise<void> {
    return sleep(milliseconds / this.#factor, signal)
  }
}

function sleep(milliseconds: number, signal?: Parameters<Clock['sleep']>[1]): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    })
  })
}
