// Compares the CPU time of a request between two variants of the service: two commits, or two sets of settings.
//
//   npm run bench:ab -- --a HEAD~1 --b .                   two commits
//   npm run bench:ab -- --a . --b . --b-set LOG_LEVEL=warn  two settings
//   npm run bench:ab -- --a . --b .                         A/A: how much the measurement itself varies
//
// Each variant has its own PostgreSQL, Redis and API. Batches go to the variants in shuffled order, one at a time, so
// that neither time nor "who ran before" favours one of them; many short ones, so that both variants of a pair see the same
// machine. Two processes of the same code differ by 10 to 20 µs, because the compiler and the garbage collector settle
// differently in each. So both APIs are restarted several times: the result is the mean over the starts, with its standard
// error.
import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Operation, VariantCommand, VariantReply } from './ab-variant.ts'
import type { CpuTime } from './cpu-time.ts'
import { average, median, percentile, standardError, trimmedMean } from './percentile.ts'
import { printTable } from './table.ts'

const { values: flags } = parseArgs({
  options: {
    a: { type: 'string', default: 'HEAD' },
    b: { type: 'string', default: '.' },
    'a-set': { type: 'string', multiple: true, default: [] },
    'b-set': { type: 'string', multiple: true, default: [] },
    only: { type: 'string', default: 'page,create,order' },
    starts: { type: 'string', default: '8' },
    rounds: { type: 'string', default: '60' },
    requests: { type: 'string', default: '64' },
    'warm-up': { type: 'string', default: '5000' },
    connections: { type: 'string', default: '16' },
    orders: { type: 'string', default: '50000' },
  },
})

const root = fileURLToPath(new URL('..', import.meta.url))
const worktrees: string[] = []
const children: ChildProcess[] = []

try {
  const a = await openVariant('a', flags.a, flags['a-set'])
  const b = await openVariant('b', flags.b, flags['b-set'])
  const operations = flags.only.split(',') as Operation[]
  const measured = new Map<Operation, Pair[][]>(operations.map((operation) => [operation, []]))
  for (let start = 1; start <= Number(flags.starts); start += 1) {
    say(`Start ${start} of ${flags.starts} …`)
    for (const variant of [a, b]) await send(variant, { kind: 'restart' })
    for (const operation of operations) measured.get(operation)?.push(await measure(operation, a, b))
  }
  for (const [operation, starts] of measured) report(operation, starts)
  await Promise.all([send(a, { kind: 'close' }), send(b, { kind: 'close' })])
} finally {
  for (const child of children) child.kill('SIGTERM')
  for (const folder of worktrees) {
    execFileSync('git', ['worktree', 'remove', '--force', folder], { cwd: root })
    rmSync(folder, { recursive: true, force: true })
  }
}

async function openVariant(name: string, given: string, settings: readonly string[]): Promise<ChildProcess> {
  say(`Starting ${name}: ${given} ${settings.join(' ')}`)
  const child = fork(fileURLToPath(new URL('./ab-variant.ts', import.meta.url)), { serialization: 'advanced' })
  children.push(child)
  await send(child, {
    kind: 'open',
    checkout: checkoutOf(given),
    settings: Object.fromEntries(settings.map((pair) => pair.split(/=(.*)/s, 2) as [string, string])),
    connections: Number(flags.connections),
    orders: Number(flags.orders),
  })
  return child
}

/** A folder is used as it is; a commit is checked out beside it, with its own dependencies. */
function checkoutOf(given: string): string {
  if (existsSync(join(given, 'bench', 'installation.ts'))) return resolve(given)
  const folder = mkdtempSync(join(tmpdir(), 'investor-token-ab-'))
  execFileSync('git', ['worktree', 'add', '--detach', '--force', folder, given], { cwd: root, stdio: 'ignore' })
  worktrees.push(folder)
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder, stdio: 'inherit' })
  return folder
}

/** Microseconds per request of both variants, measured right after each other. */
interface Pair {
  readonly a: CpuTime
  readonly b: CpuTime
}

async function measure(operation: Operation, a: ChildProcess, b: ChildProcess): Promise<Pair[]> {
  for (const variant of [a, b]) {
    await send(variant, { kind: 'prepare', operation })
    await send(variant, { kind: 'batch', requests: Number(flags['warm-up']) })
  }
  const pairs: Pair[] = []
  for (let round = 0; round < Number(flags.rounds); round += 1)
    if (Math.random() < 0.5) pairs.push({ a: await batch(a), b: await batch(b) })
    else {
      const second = await batch(b)
      pairs.push({ a: await batch(a), b: second })
    }
  return pairs
}

async function batch(variant: ChildProcess): Promise<CpuTime> {
  const { cpu } = await send(variant, { kind: 'batch', requests: Number(flags.requests) })
  if (!cpu) throw new Error('a batch has no result')
  return cpu
}

async function send(child: ChildProcess, command: VariantCommand): Promise<{ cpu?: CpuTime }> {
  const { promise, resolve: replied } = Promise.withResolvers<VariantReply>()
  const ended = () => replied({ problem: 'the variant ended before it replied' })
  child.once('message', (reply) => replied(reply as VariantReply))
  child.once('exit', ended)
  child.send(command)
  const reply = await promise
  child.off('exit', ended)
  if ('problem' in reply) throw new Error(reply.problem)
  return reply
}

function report(operation: Operation, starts: readonly (readonly Pair[])[]): void {
  say(
    `\n${operation}: CPU per request in µs, ${starts.length} starts, ${flags.rounds} pairs of ${flags.requests} requests\n`,
  )
  const rows = (['api', 'postgres', 'redis'] as const).map((name) => {
    const all = starts.flat()
    const [ofA, ofB] = [all.map(({ a }) => a[name]), all.map(({ b }) => b[name])]
    const differences = starts.map((pairs) => trimmedMean(pairs.map(({ a, b }) => b[name] - a[name])))
    const difference = average(differences)
    return [
      name,
      median(ofA).toFixed(1),
      median(ofB).toFixed(1),
      percentile(ofA, 0.15).toFixed(1),
      percentile(ofB, 0.15).toFixed(1),
      `${difference.toFixed(1)} ± ${standardError(differences).toFixed(1)}`,
      `${((difference / median(ofA)) * 100).toFixed(1)} %`,
    ]
  })
  printTable(['process', 'A', 'B', 'A q15', 'B q15', 'B - A', 'of A'], rows)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
