import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stateOfCheckout } from './checkout-state.ts'
import type { FileResult } from './file-result.ts'
import { root } from './tiers.ts'

const folder = join(root, '.tests')
const file = join(folder, 'last-run.json')

interface Kept {
  /** State of the checkout in which the files passed. */
  state: string
  passed: string[]
  seconds: Record<string, number>
}

/** Results of earlier runs in this checkout: the files that passed in its current state, and how long each takes. */
export class LastRun {
  readonly #state = stateOfCheckout()
  readonly #passed: Set<string>
  readonly seconds: Map<string, number>

  constructor() {
    const kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Kept) : undefined
    this.#passed = new Set(kept?.state === this.#state ? kept.passed : [])
    this.seconds = new Map(Object.entries(kept?.seconds ?? {}))
  }

  hasPassed(test: string): boolean {
    return this.#passed.has(test)
  }

  add(results: readonly FileResult[]): void {
    for (const result of results) {
      if (result.failed === 0 && result.skipped === 0) this.#passed.add(result.file)
      else this.#passed.delete(result.file)
      // A file that ended its process has no time.
      if (result.seconds > 0) this.seconds.set(result.file, Math.round(result.seconds * 10) / 10)
    }
    const kept: Kept = { state: this.#state, passed: [...this.#passed], seconds: Object.fromEntries(this.seconds) }
    mkdirSync(folder, { recursive: true })
    // Renamed in one step, because .ci/deploy has several runs side by side.
    writeFileSync(`${file}-${process.pid}`, JSON.stringify(kept))
    renameSync(`${file}-${process.pid}`, file)
  }
}
