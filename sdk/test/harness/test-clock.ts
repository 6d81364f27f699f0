import type { Clock } from '../../src/sdk.ts'

/** Time that passes when a test says so, for what is counted; sleeping takes real time. */
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

/** Time that passes so many times as fast. */
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
