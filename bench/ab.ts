// Compares the CPU time of a request between two variants of the service: two commits, or two sets of settings.
//
//   npm run bench -- ab --a HEAD~1 --b .                   two commits
//   npm run bench -- ab --a . --b . --b-set LOG_LEVEL=warn  two settings
//   npm run bench -- ab --a . --b . --b-preload without-fence --only page,create
//                                                           a file of this folder that the API loads first
//   npm run bench -- ab --a . --b .                         A/A: how much the measurement itself varies
//
// `--picture FILE` draws the figures, with `--a-name` and `--b-name` beside the bars.
//
// Each variant has its own PostgreSQL, Redis and API. Batches go to the variants in shuffled order, one at a time, so
// that neither time nor "who ran before" favours one of them; many short ones, so that both variants of a pair see the
// same machine. Two processes of the same code differ by 10 to 20 µs, because the compiler and the garbage collector
// settle differently in each. So both APIs are restarted several times: the result is the mean over the starts, with
// its standard error.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Operation } from './ab-variant.ts'
import { barChart } from './bar-chart.ts'
import type { CpuTime } from './cpu-time.ts'
import { average, median, percentile, standardError, trimmedMean } from './percentile.ts'
import { printTable, say } from './print.ts'
import { Variant } from './variant.ts'

const { values: flags } = parseArgs({
  options: {
    a: { type: 'string', default: 'HEAD' },
    b: { type: 'string', default: '.' },
    'a-set': { type: 'string', multiple: true, default: [] },
    'b-set': { type: 'string', multiple: true, default: [] },
    'a-preload': { type: 'string', multiple: true, default: [] },
    'b-preload': { type: 'string', multiple: true, default: [] },
    only: { type: 'string', default: 'page,create,order' },
    starts: { type: 'string', default: '8' },
    rounds: { type: 'string', default: '60' },
    requests: { type: 'string', default: '64' },
    'warm-up': { type: 'string', default: '5000' },
    connections: { type: 'string', default: '16' },
    orders: { type: 'string', default: '50000' },
    picture: { type: 'string' },
    'a-name': { type: 'string', default: 'before' },
    'b-name': { type: 'string', default: 'after' },
  },
})

const root = fileURLToPath(new URL('..', import.meta.url))
const worktrees: string[] = []
const variants: Variant[] = []

try {
  const a = await openVariant('a', flags.a, { set: flags['a-set'], preload: flags['a-preload'] })
  const b = await openVariant('b', flags.b, { set: flags['b-set'], preload: flags['b-preload'] })
  const operations = flags.only.split(',') as Operation[]
  const measured = new Map<Operation, Pair[][]>(operations.map((operation) => [operation, []]))
  for (let start = 1; start <= Number(flags.starts); start += 1) {
    say(`Start ${start} of ${flags.starts} …`)
    for (const variant of [a, b]) await variant.send({ kind: 'restart' })
    for (const operation of operations) measured.get(operation)?.push(await measure(operation, a, b))
  }
  for (const [operation, starts] of measured) report(operation, starts)
  if (flags.picture !== undefined) writeFileSync(flags.picture, pictureOf(measured))
  await Promise.all([a.send({ kind: 'close' }), b.send({ kind: 'close' })])
} finally {
  for (const variant of variants) variant.end()
  for (const folder of worktrees) {
    execFileSync('git', ['worktree', 'remove', '--force', folder], { cwd: root })
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Differences {
  readonly set: readonly string[]
  readonly preload: readonly string[]
}

async function openVariant(name: string, given: string, { set, preload }: Differences): Promise<Variant> {
  say(`Starting ${name}: ${[given, ...set, ...preload].join(' ')}`)
  const variant = new Variant()
  variants.push(variant)
  await variant.send({
    kind: 'open',
    checkout: checkoutOf(given),
    settings: Object.fromEntries(set.map((pair) => pair.split(/=(.*)/s, 2) as [string, string])),
    preload: preload.map((file) => fileURLToPath(new URL(`${file}.ts`, import.meta.url))),
    connections: Number(flags.connections),
    orders: Number(flags.orders),
  })
  return variant
}

/** Uses a folder as it is; checks a commit out in a temporary folder, with its own dependencies. */
function checkoutOf(given: string): string {
  if (existsSync(join(given, 'bench', 'installation.ts'))) return resolve(given)
  const folder = mkdtempSync(join(tmpdir(), 'investor-token-ab-'))
  execFileSync('git', ['worktree', 'add', '--detach', '--force', folder, given], { cwd: root, stdio: 'ignore' })
  worktrees.push(folder)
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder, stdio: 'inherit' })
  return folder
}

/** Microseconds per request of both variants, measured one right after the other. */
interface Pair {
  readonly a: CpuTime
  readonly b: CpuTime
}

async function measure(operation: Operation, a: Variant, b: Variant): Promise<Pair[]> {
  for (const variant of [a, b]) {
    await variant.send({ kind: 'prepare', operation })
    await variant.batch(Number(flags['warm-up']))
  }
  const batch = (variant: Variant) => variant.batch(Number(flags.requests))
  const pairs: Pair[] = []
  for (let round = 0; round < Number(flags.rounds); round += 1)
    if (Math.random() < 0.5) pairs.push({ a: await batch(a), b: await batch(b) })
    else {
      const second = await batch(b)
      pairs.push({ a: await batch(a), b: second })
    }
  return pairs
}

function report(operation: Operation, starts: readonly (readonly Pair[])[]): void {
  say(
    `\n${operation}: CPU per request in µs, ${starts.length} starts, ${flags.rounds} pairs of ${flags.requests} requests\n`,
  )
  const processes = ['api', 'postgres', 'redis'] as const
  const together = (cpu: CpuTime) => processes.reduce((sum, name) => sum + cpu[name], 0)
  const rows = [...processes, 'together' as const].map((name) => {
    const of = (cpu: CpuTime) => (name === 'together' ? together(cpu) : cpu[name])
    const all = starts.flat()
    const [ofA, ofB] = [all.map(({ a }) => of(a)), all.map(({ b }) => of(b))]
    const differences = starts.map((pairs) => trimmedMean(pairs.map(({ a, b }) => of(b) - of(a))))
    const difference = average(differences)
    return [
      name,
      median(ofA).toFixed(1),
      median(ofB).toFixed(1),
      percentile(ofA, 0.15).toFixed(1),
      percentile(ofB, 0.15).toFixed(1),
      `${difference.toFixed(1)} ± ${standardError(differences).toFixed(1)}`,
      `${((difference / median(ofA)) * 100).toFixed(1)} %`,
      (1 + difference / median(ofA)).toFixed(3),
    ]
  })
  printTable(['process', 'A', 'B', 'A q15', 'B q15', 'B - A', 'of A', 'B / A'], rows)
}

function pictureOf(measured: ReadonlyMap<Operation, readonly (readonly Pair[])[]>): string {
  const groups = [...measured].flatMap(([operation, starts]) =>
    (['api', 'postgres'] as const).map((name) => ({
      title: `${operation}: CPU time of ${name === 'api' ? 'the API' : 'PostgreSQL'} per request, µs`,
      bars: [
        { name: flags['a-name'], value: median(starts.flat().map(({ a }) => a[name])) },
        { name: flags['b-name'], value: median(starts.flat().map(({ b }) => b[name])) },
      ],
    })),
  )
  return barChart(groups)
}
