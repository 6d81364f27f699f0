import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningApi } from '../installation/running-api.ts'

/** Asks processes whether they are ready, as a load balancer does, and records every time that one was not. */
export class ReadinessWatch {
  readonly #problems: string[] = []
  readonly #watching: Promise<unknown>
  #isOver = false

  private constructor(apis: readonly RunningApi[]) {
    this.#watching = Promise.all(apis.map((api, index) => this.#watch(api, index)))
  }

  static start(apis: readonly RunningApi[]): ReadinessWatch {
    return new ReadinessWatch(apis)
  }

  /** Stops watching. Returns every time that a process was not ready. */
  async stop(): Promise<readonly string[]> {
    this.#isOver = true
    await this.#watching
    return this.#problems
  }

  async #watch({ baseUrl }: RunningApi, index: number): Promise<void> {
    while (!this.#isOver) {
      const response = await fetch(`${baseUrl}/readyz`)
      const text = await response.text()
      if (!response.ok) this.#problems.push(`process ${index}: ${response.status} ${text}`)
      await sleep(200)
    }
  }
}
