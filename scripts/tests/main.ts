// Runs tests: `npm test`, `npm run test:changed`, `.ci/run` and `.ci/full`. CONTRIBUTING.md explains when to run which.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { isConsoleBuilt } from '../../service/src/dev/build-console.ts'
import type { FileResult } from './file-result.ts'
import { groupsOf, inRandomOrder } from './groups.ts'
import { onInterruption } from './interruption.ts'
import { LastRun } from './last-run.ts'
import { repeatFailed } from './repeat-failed.ts'
import { countsOf, slowest, textOf } from './report.ts'
import { defaultJobs, runGroups } from './run-group.ts'
import { isIn, isPrepared, root, type Tier, testFiles, tierOf, tiers } from './tiers.ts'

const { values: options, positionals: paths } = parseArgs({
  allowPositionals: true,
  options: {
    tier: { type: 'string', default: 'everyday' },
    // Leaves out the tiers below.
    only: { type: 'boolean', default: false },
    // Runs the tests that a change can break, since a revision or since the last commit.
    changed: { type: 'boolean', default: false },
    base: { type: 'string' },
    // Includes files that have passed in this state of the checkout.
    again: { type: 'boolean', default: false },
    // Puts the files of each process in a random order with this seed.
    order: { type: 'string' },
    // Runs each file in a separate process.
    alone: { type: 'boolean', default: false },
    // Repeats files with failures once, alone.
    repeat: { type: 'boolean', default: false },
    // File for the outcome of each test, which `npm run requirements` reads.
    results: { type: 'string' },
    // File for the last line.
    counts: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
})
// A bundle takes five to ten seconds of CPU time. Fewer files than this do not save as much.
const filesFromSource = 30

const tier = options.tier as Tier
if (!tiers.includes(tier)) throw new Error(`--tier is ${options.tier}; it must be one of ${tiers.join(', ')}.`)
const seed = options.order === undefined ? undefined : Number(options.order)
if (seed !== undefined && !Number.isSafeInteger(seed)) throw new Error('--order must be a whole number.')
const lastRun = new LastRun()
const selected = await select()
// An order can only be repeated with all its files.
const files =
  options.again || options.list || seed !== undefined ? selected : selected.filter((file) => !lastRun.hasPassed(file))
const leftOut = selected.length - files.length
if (options.list) process.stdout.write(files.map((file) => `${file}\n`).join(''))
else {
  if (leftOut > 0)
    process.stdout.write(
      `${leftOut} of ${selected.length} files have passed in this state of the checkout; --again runs them again.\n`,
    )
  if (files.length > 0) await runAll()
}

async function select(): Promise<string[]> {
  const all = testFiles()
  if (options.changed) {
    const { selectChanged } = await import('./select-changed.ts')
    return selectChanged({ tier, base: options.base })
  }
  if (paths.length === 0) return ofTier(all)
  const wanted = (file: string) => paths.some((path) => file === path || (file.includes(path) && isIn(tier, file)))
  const found = all.filter(wanted)
  const left = all.filter((file) => !wanted(file) && paths.some((path) => file.includes(path)))
  if (left.length > 0) process.stdout.write(`Left to a later tier, or run them with --tier full: ${left.join(', ')}\n`)
  if (found.length === 0) throw new Error(`No test file has ${paths.join(' or ')} in its path.`)
  return found
}

function ofTier(all: readonly string[]): string[] {
  const found = all.filter((file) => (options.only ? tierOf(file) === tier : isIn(tier, file)))
  const left = found.filter(isPrepared)
  if (left.length > 0 && !options.list)
    process.stdout.write(`Left to .ci/deploy, which prepares for them: ${left.join(', ')}\n`)
  return found.filter((file) => !isPrepared(file))
}

async function runAll(): Promise<void> {
  const startedAt = performance.now()
  if (files.some(usesConsole) && !isConsoleBuilt()) runNpm('console:build')
  const bundle = files.length > filesFromSource ? await bundled() : undefined
  const first: FileResult[] = []
  const stop = new AbortController()
  onInterruption((signal) => {
    stop.abort()
    process.stdout.write(`\nStopped by ${signal} after ${first.length} of ${files.length} files\n`)
    finish(first, startedAt)
  })
  // Printed one after another, and all before the counts, which are the last line.
  let printed = Promise.resolve()
  await runGroups(arranged(), { bundle, jobs: defaultJobs(), stop: stop.signal }, (result) => {
    if (stop.signal.aborted) return
    first.push(result)
    printed = printed.then(async () => void process.stdout.write(await textOf(result)))
  })
  await printed
  const results = options.repeat ? await repeatFailed(first, { bundle, stop: stop.signal }) : first
  if (!stop.signal.aborted) finish(results, startedAt)
}

/** Stores and prints the results of all files. */
function finish(results: readonly FileResult[], startedAt: number): void {
  lastRun.add(results)
  const lines = results.flatMap(({ tests }) => tests.map((test) => `${JSON.stringify(test)}\n`))
  const counts = countsOf(results)
  if (options.results !== undefined) writeFileSync(options.results, lines.join(''))
  if (options.counts !== undefined) writeFileSync(options.counts, counts)
  process.stdout.write(`\n${slowest(results)}\n`)
  process.stdout.write(`${((performance.now() - startedAt) / 1_000).toFixed(0)} seconds\n${counts}`)
  if (results.some(({ failed }) => failed > 0)) process.exitCode = 1
}

/** Returns the files of each process. */
function arranged(): string[][] {
  if (options.alone) return files.map((file) => [file])
  // Ignores earlier durations, so that a seed gives the same order on every machine and day.
  return seed === undefined ? groupsOf(files, lastRun.seconds) : inRandomOrder(groupsOf(files, new Map()), seed)
}

async function bundled(): Promise<string> {
  const { bundle } = await import('./bundle.ts')
  return bundle()
}

function usesConsole(file: string): boolean {
  return /^(console|examples|service\/src\/access)\//.test(file) || (tierOf(file) === 'full' && !isPrepared(file))
}

function runNpm(script: string): void {
  const { status } = spawnSync('npm', ['run', '--silent', script], { cwd: root, stdio: 'inherit' })
  if (status !== 0) throw new Error(`npm run ${script} failed.`)
}
