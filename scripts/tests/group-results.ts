import { FileResult, type TestEvent } from './file-result.ts'
import { beginsIn, exitCodeIn, isLeftoverTest, type LateError, latePrefix } from './group-protocol.ts'

/** Divides the reports of a group's process among its files. */
export class GroupResults {
  readonly #files: readonly string[]
  readonly #ended: (result: FileResult) => void
  /** Results of the files that have not ended, in their order. */
  readonly #unfinished: Map<string, FileResult>
  readonly #printing: { [Type in 'test:stdout' | 'test:stderr']?: FileResult } = {}
  #ofTests: FileResult | undefined
  /** Undefined if the process was killed. */
  #exitCode: number | undefined
  #signal: string | undefined
  #hasFailed = false

  constructor(files: readonly string[], ended: (result: FileResult) => void) {
    this.#files = files
    this.#ended = ended
    this.#unfinished = new Map(files.map((file) => [file, new FileResult(file)]))
  }

  add(event: TestEvent): void {
    const { type, data } = event
    const { nesting = 0, name = '', message = '' } = data
    if (type === 'test:stdout' || type === 'test:stderr') this.#addOutput(type, message)
    else if (type === 'test:diagnostic' && message.startsWith(latePrefix)) this.#addLate(message)
    else if (nesting > 0 || type === 'test:diagnostic' || this.#files.includes(name)) {
      if (type === 'test:start' && nesting === 0) this.#ofTests = this.#unfinished.get(name)
      this.#ofTests?.add(event)
    } else if (isLeftoverTest(name)) this.#addLeftoverTest(event)
    else if (type === 'test:fail') this.#signal = data.details?.error?.signal
  }

  /**
   * Ends the results, as the process has ended. If a file was running, it has failed. Returns the files to run in
   * another process, fewer each time.
   */
  endWithProcess(): string[] {
    const unfinished = [...this.#unfinished.values()]
    // Node's runner exits with 1 after a failure.
    if (unfinished.length === 0 && (this.#exitCode === 0 || (this.#exitCode === 1 && this.#hasFailed))) return []
    const how = this.#exitCode === undefined ? (this.#signal ?? 'a signal') : `exit code ${this.#exitCode}`
    const culprit = this.#printing['test:stderr']
    if (!culprit) {
      for (const result of unfinished) this.#endFailed(result, `The process ended with ${how} before it ran a file.`)
      return []
    }
    const { file } = culprit
    const ran = this.#files.slice(0, this.#files.indexOf(file) + 1).join(', ')
    if (this.#unfinished.has(file)) this.#endFailed(culprit, `The process ended with ${how} while it ran ${file}.`)
    else this.#endFailed(new FileResult(file), `The process ended with ${how} after it ran ${ran}.`)
    return [...this.#unfinished.keys()]
  }

  /** Adds lines of a file, and notices when the next one begins. */
  #addOutput(type: 'test:stdout' | 'test:stderr', message: string): void {
    for (const line of message.split(/(?<=\n)/)) {
      const begins = beginsIn(line)
      const result = begins === undefined ? undefined : this.#unfinished.get(begins)
      const exitCode = exitCodeIn(line)
      if (result) this.#printing[type] = result
      else if (exitCode !== undefined) this.#exitCode = exitCode
      else this.#printing[type]?.addOutput(line)
    }
  }

  #addLeftoverTest(event: TestEvent): void {
    const result = this.#ofTests
    if (!result) return
    // A log line here would belong to no test.
    if (event.type !== 'test:pass' && event.type !== 'test:fail') return
    if (event.type === 'test:fail') result.addFailure(event)
    this.#end(result)
  }

  #addLate(message: string): void {
    const { file, text } = JSON.parse(message.slice(latePrefix.length)) as LateError
    this.#endFailed(new FileResult(file), `An error that no test awaits, after ${file} had ended: ${text}`)
  }

  #endFailed(result: FileResult, why: string): void {
    const error: Error & { failureType?: string } = new Error(why)
    delete error.stack
    result.addFailure({
      type: 'test:fail',
      data: { name: result.file, nesting: 0, details: { type: 'test', duration_ms: 0, error } },
    })
    this.#end(result)
  }

  #end(result: FileResult): void {
    this.#unfinished.delete(result.file)
    this.#hasFailed ||= result.failed > 0
    this.#ended(result)
  }
}
