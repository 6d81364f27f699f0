/** One finished test: a line of JSON in the results that `npm run requirements` reads. */
export interface TestResult {
  /** Preceded by the names of its suites, outermost first. */
  name: string
  outcome: 'passed' | 'failed' | 'skipped'
}

interface TestEvent {
  type: string
  data: {
    name?: string
    nesting?: number
    file?: string
    skip?: string | boolean
    todo?: string | boolean
    details?: { type?: string }
  }
}

/** Writes one line of JSON for each finished test. */
// biome-ignore lint/style/noDefaultExport: node's test runner loads a reporter as the default export
export default async function* requirementReporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  // Events of one file come in the order of its tests; those of several files can interleave.
  const openNames = new Map<string, string[]>()
  for await (const { type, data } of events) {
    const { name = '', nesting = 0, file = '' } = data
    const names = openNames.get(file) ?? []
    openNames.set(file, names)
    if (type === 'test:start') names.splice(nesting, Number.POSITIVE_INFINITY, name)
    if ((type !== 'test:pass' && type !== 'test:fail') || data.details?.type === 'suite') continue
    const result: TestResult = { name: [...names.slice(0, nesting), name].join(' > '), outcome: outcomeOf(type, data) }
    yield `${JSON.stringify(result)}\n`
  }
}

function outcomeOf(type: string, { skip, todo }: TestEvent['data']): TestResult['outcome'] {
  // The runner reports a skipped test as passed, with a reason that can be empty.
  if (isSet(skip) || isSet(todo)) return 'skipped'
  return type === 'test:pass' ? 'passed' : 'failed'
}

function isSet(reason: string | boolean | undefined): boolean {
  return reason !== undefined && reason !== false
}
