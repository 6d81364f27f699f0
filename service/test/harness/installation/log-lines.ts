/** A process of the service, separate or inside the test. */
export interface Served {
  /** Every line of output so far. */
  readonly output: readonly string[]
  /** Returns the first log line with this message, already logged or awaited. */
  logged(message: string, withinMs?: number): Promise<Record<string, unknown>>
  stop(): Promise<unknown>
}

/** The last lines that all processes of a test have logged, shown if the test fails. */
class LogOfTest {
  #lines: string[] = []
  /** Number of lines so far. */
  count = 0

  add(line: string): void {
    this.count += 1
    this.#lines.push(line)
    if (this.#lines.length > 2 * keptLines) this.#lines = this.#lines.slice(-keptLines)
  }

  /** Returns the lines after the first `count`. */
  since(count: number): string[] {
    const lines = Math.min(this.count - count, keptLines)
    return lines === 0 ? [] : this.#lines.slice(-lines)
  }
}

const keptLines = 1_000
export const logOfTest = new LogOfTest()

/** Lines that a process has logged, and the callers that wait for one. */
export class LogLines {
  readonly lines: string[] = []
  readonly #waiting = new Set<(line: string) => void>()
  readonly #ended: Promise<string>

  /** `ended` resolves with the reason once no more lines can come. */
  constructor(ended: Promise<string>) {
    this.#ended = ended
  }

  add(line: string): void {
    this.lines.push(line)
    logOfTest.add(line)
    for (const listener of this.#waiting) listener(line)
  }

  logged(message: string, withinMs = 180_000): Promise<Record<string, unknown>> {
    return new Promise((resolve, reject) => {
      const look = (line: string) => {
        const entry = parseLine(line)
        if (entry?.['msg'] !== message) return
        finish()
        resolve(entry)
      }
      const fail = (why: string) => {
        finish()
        reject(new Error(`${why} before logging "${message}":\n${this.lines.slice(-20).join('\n')}`))
      }
      const timer = setTimeout(() => fail(`${withinMs} ms passed`), withinMs)
      const finish = () => {
        clearTimeout(timer)
        this.#waiting.delete(look)
      }
      this.#waiting.add(look)
      void this.#ended.then(fail)
      for (const line of this.lines) look(line)
    })
  }
}

/** Returns the checks that the last probe of /readyz logged. A change may be logged after the response. */
export function lastReadiness({ output }: Pick<Served, 'output'>): {
  readiness: string
  checks: Record<string, string>
} {
  const line = output.findLast((one) => one.includes('"msg":"readiness changed"'))
  return (parseLine(line ?? '') ?? { readiness: 'unknown', checks: {} }) as ReturnType<typeof lastReadiness>
}

function parseLine(line: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(line) as Record<string, unknown>
  } catch {
    return undefined
  }
}
