import { AsyncLocalStorage } from 'node:async_hooks'
import type { LateError } from './group-protocol.ts'

type ExitCode = typeof process.exitCode

/**
 * Rejected promises that nobody awaits and errors of timers, after their test has ended. Node's test runner prints a
 * note at the end of the process and fails no test; here the file that caused one fails.
 */
export class LateErrors {
  readonly #file = new AsyncLocalStorage<string>()
  #errors: LateError[] = []
  #running = ''

  /** Called after the first hook, when Node's test runner listens. */
  constructor() {
    for (const event of ['unhandledRejection', 'uncaughtException'] as const) {
      let earlier: ExitCode
      process.prependListener(event, () => {
        earlier = process.exitCode
        process.exitCode = undefined
      })
      process.on(event, (error: unknown) => {
        // Set by Node's listener, which runs between these two, if it found no test to fail.
        const isLate = process.exitCode !== undefined
        process.exitCode = earlier
        if (isLate) this.#add(error)
      })
    }
  }

  /** What the work causes, now or later, is of the file. */
  caughtOf<Result>(file: string, work: () => Result): Result {
    this.#running = file
    return this.#file.run(file, work)
  }

  /** Those since the last call. */
  take(): LateError[] {
    const taken = this.#errors
    this.#errors = []
    return taken
  }

  #add(error: unknown): void {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    this.#errors.push({ file: this.#file.getStore() ?? this.#running, text })
  }
}
