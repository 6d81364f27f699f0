import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { TestResult } from './tests/file-result.ts'

// Prints which tests prove each requirement of docs/requirements.md. Runs the tests first, unless their results are
// given: --results FILE, once or several times.

const requirementCount = 260
const shownLengthMax = 100

const folder = fileURLToPath(new URL('../', import.meta.url))
const { values } = parseArgs({ options: { results: { type: 'string', multiple: true } } })
const [results, haveTestsFailed] =
  values.results === undefined ? runTests() : [values.results.flatMap(readResults), false]
const reasons = readReasons(readFileSync(join(folder, 'docs/requirements.md'), 'utf8'))
const testsOf = Map.groupBy(
  results.flatMap((result) => numbersIn(result.name).map((number) => ({ number, result }))),
  ({ number }) => number,
)

const counts = { proved: 0, 'documentation only': 0, missing: 0 }
for (let index = 1; index <= requirementCount; index++) {
  const number = numberOf(index)
  const { verdict, remark } = verdictOf(number, testsOf.get(number)?.map(({ result }) => result) ?? [])
  counts[verdict] += 1
  print(`${number} ${verdict}${remark}`)
}
const unknown = [...testsOf.keys()].filter((number) => number < numberOf(1) || number > numberOf(requirementCount))
for (const number of unknown.toSorted()) print(`${number} does not exist, but a test names it`)
print(
  `${requirementCount} requirements: ${counts.proved} proved, ${counts['documentation only']} documentation only, ` +
    `${counts.missing} missing`,
)
process.exitCode = counts.missing > 0 || unknown.length > 0 || haveTestsFailed ? 1 : 0

/** One failed test disproves a requirement, however many others pass. A skipped test does not count. */
function verdictOf(number: string, tests: readonly TestResult[]): { verdict: keyof typeof counts; remark: string } {
  const failed = tests.filter(({ outcome }) => outcome === 'failed')
  if (failed.length > 0) return { verdict: 'missing', remark: `: failed: ${shown(failed)}` }
  const passed = tests.filter(({ outcome }) => outcome === 'passed')
  if (passed.length > 0) return { verdict: 'proved', remark: `: ${shown(passed)}` }
  const reason = reasons.get(number)
  if (reason !== undefined) return { verdict: 'documentation only', remark: `: ${reason}` }
  return { verdict: 'missing', remark: '' }
}

/** Shows the first test name, without numbers and suites, and the number of other tests. */
function shown([first, ...others]: readonly TestResult[]): string {
  const name = (first?.name.split(' > ').at(-1) ?? '').replace(/^(?:[RQ]\d{3}(?:,| to)? ?)+: /, '')
  const short = name.length > shownLengthMax ? `${name.slice(0, shownLengthMax - 1)}…` : name
  return others.length > 0 ? `${short} (and ${others.length} more)` : short
}

/** Expands ranges such as `R103 to R113`. */
function numbersIn(name: string): string[] {
  const numbers = [...name.matchAll(/\bR(\d{3})(?: (?:to|–) R(\d{3}))?\b/g)].flatMap(([, first, last]) => {
    const from = Number(first)
    return Array.from({ length: Number(last ?? first) - from + 1 }, (_, offset) => numberOf(from + offset))
  })
  return [...new Set(numbers)]
}

function numberOf(index: number): string {
  return `R${String(index).padStart(3, '0')}`
}

/** Reads the section "Documentation only": the requirements that no test can prove, with the reason. */
function readReasons(document: string): Map<string, string> {
  const [, section = ''] = /^## Documentation only$([\s\S]*?)^## /m.exec(document) ?? []
  return new Map(
    [...section.matchAll(/^\| (R\d{3}) \| (.+) \|$/gm)].map(([, number = '', reason = '']) => [number, reason]),
  )
}

function readResults(file: string): TestResult[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as TestResult)
}

function runTests(): [TestResult[], boolean] {
  const temporary = mkdtempSync(join(tmpdir(), 'requirements-'))
  const file = join(temporary, 'results.jsonl')
  try {
    const runner = ['scripts/tests/main.ts', '--tier', 'full', '--again', '--results', file]
    const { status } = spawnSync(process.execPath, runner, { cwd: folder, stdio: 'inherit' })
    return [readResults(file), status !== 0]
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
