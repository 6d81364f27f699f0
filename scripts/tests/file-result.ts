import { costPrefix, logPrefix } from './group-protocol.ts'

/** An event of Node's test runner. */
export interface TestEvent {
  readonly type: string
  readonly data: {
    readonly name?: string
    readonly nesting?: number
    readonly message?: string
    readonly skip?: string | boolean
    readonly todo?: string | boolean
    readonly details?: {
      readonly type?: string
      readonly duration_ms?: number
      readonly error?: { readonly failureType?: string; readonly exitCode?: number; readonly signal?: string }
    }
  }
}

/** One finished test: a line of JSON in the results that `npm run requirements` reads. */
export interface TestResult {
  /** Name of the test, preceded by the names of its suites, outermost first. */
  readonly name: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
}

const outputLinesMax = 40

/** Collects the results of one test file. */
export class FileResult {
  readonly file: string
  readonly tests: TestResult[] = []
  /** Events of failures, in the form that Node's reporters read. */
  readonly failures: TestEvent[] = []
  /** Log lines of the APIs of the test, for each failure. */
  readonly logs = new Map<TestEvent, string[]>()
  seconds = 0
  cpuSeconds = 0
  /** The test that reports now, behind its file and suites. */
  readonly #names: string[] = []
  /** The last failure, until another test has ended. */
  #justFailed: TestEvent | undefined
  #failedBeside = 0
  #skippedSuites = 0
  #output: string[] = []

  constructor(file: string) {
    this.file = file
  }

  get passed(): number {
    return this.#count('passed')
  }

  /** Includes failures that belong to no test: of hooks, or because the file left something behind. */
  get failed(): number {
    return this.#count('failed') + this.#failedBeside
  }

  /** Node counts neither a skipped suite nor its tests, which are never declared: here it counts as one. */
  get skipped(): number {
    return this.#count('skipped') + this.#skippedSuites
  }

  /** Returns the last lines that the file has printed. */
  get output(): string {
    return this.#output.join('').trim()
  }

  /** Adds an event of the file's suite, or of a test in it. */
  add(event: TestEvent): void {
    const { type, data } = event
    if (type === 'test:start') this.#names.splice(data.nesting ?? 0, Number.POSITIVE_INFINITY, data.name ?? '')
    else if (type === 'test:diagnostic') this.#addDiagnostic(data.message ?? '')
    else if (type === 'test:pass' || type === 'test:fail') this.#addEnded(event)
  }

  addOutput(line: string): void {
    this.#output.push(line)
    if (this.#output.length > 2 * outputLinesMax) this.#output = this.#output.slice(-outputLinesMax)
  }

  /** Adds a failure that belongs to no test. */
  addFailure(event: TestEvent): void {
    this.failures.push(event)
    this.#justFailed = event
    this.#failedBeside += 1
  }

  /** Handles a diagnostic. Node's runner reports them after the end of their test. */
  #addDiagnostic(message: string): void {
    if (message.startsWith(costPrefix)) this.cpuSeconds = Number(message.slice(costPrefix.length))
    else if (message.startsWith(logPrefix) && this.#justFailed) {
      const lines = this.logs.get(this.#justFailed) ?? []
      this.logs.set(this.#justFailed, [...lines, message.slice(logPrefix.length)])
    }
  }

  #addEnded(event: TestEvent): void {
    this.#justFailed = undefined
    if (event.data.details?.type === 'suite') this.#addSuite(event)
    else this.#addTest(event)
  }

  #addTest(event: TestEvent): void {
    const { name = '', nesting = 0 } = event.data
    const outcome = outcomeOf(event)
    this.tests.push({ name: [...this.#names.slice(1, nesting), name].join(' > '), outcome })
    if (outcome !== 'failed') return
    this.failures.push(event)
    this.#justFailed = event
  }

  /** The failures of a suite that come from its tests are counted already. */
  #addSuite(event: TestEvent): void {
    const { nesting = 0, details } = event.data
    if (nesting === 0) this.seconds = (details?.duration_ms ?? 0) / 1_000
    const outcome = outcomeOf(event)
    if (outcome === 'skipped') this.#skippedSuites += 1
    const isOfItsTests = ['subtestsFailed', 'cancelledByParent'].includes(details?.error?.failureType ?? '')
    if (outcome === 'failed' && !isOfItsTests) this.addFailure(event)
  }

  #count(outcome: TestResult['outcome']): number {
    return this.tests.filter((test) => test.outcome === outcome).length
  }
}

function outcomeOf({ type, data }: TestEvent): TestResult['outcome'] {
  // The runner reports a skipped test as passed, with a reason that can be empty.
  if (isSet(data.skip) || isSet(data.todo)) return 'skipped'
  return type === 'test:pass' ? 'passed' : 'failed'
}

function isSet(reason: string | boolean | undefined): boolean {
  return reason !== undefined && reason !== false
}
