import { AsyncLocalStorage } from 'node:async_hooks'
import type { LateError } from './group-protocol.ts'

type ExitCode = typeof process.exitCode

/**
 * Collects rejected promises that nobody awaits, and errors of timers, after their test has ended. Node's test runner
 * only prints a note at the end of the process; here the file that caused the error fails.
 */
export class LateErrors {
  readonly #file = new AsyncLocalStorage<string>()
  #errors: LateError[] = []
  #running = ''

  /** Call it after the first hook, when Node's test runner listens. */
  constructor() {
    for (const event of ['unhandledRejection', 'uncaughtException'] as const) {
      let earlier: ExitCode
      process.prependListener(event, () => {
        earlier = process.exitCode
        process.exitCode = undefined
      })
      process.on(event, (error: unknown) => {
        // Node's listener runs between these two, and sets the exit code if it found no test to fail.
        const isLate = process.exitCode !== undefined
        process.exitCode = earlier
        if (isLate) this.#add(error)
      })
    }
  }

  /** Attributes to the file all errors that the work causes, now or later. */
  caughtOf<Result>(file: string, work: () => Result): Result {
    this.#running = file
    return this.#file.run(file, work)
  }

  /** Returns the errors since the last call. */
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
