// Fails if a request costs more CPU time of the API than its committed budget allows: `npm run bench -- cpu-budgets`.
// With `--write` the measured figures become the budgets. Machines differ in speed, so the unit is the CPU time of a
// fixed piece of work, measured between the batches.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Operation } from './ab-variant.ts'
import { nanosecondsOf } from './cpu-time.ts'
import { percentile } from './percentile.ts'
import { printTable, say } from './print.ts'
import { Variant } from './variant.ts'

const { values: flags } = parseArgs({
  options: {
    write: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '40' },
    requests: { type: 'string', default: '64' },
    'warm-up': { type: 'string', default: '4000' },
  },
})
const slack = 1.3
const operations = ['page', 'create', 'order'] as const satisfies Operation[]
type Budgets = Record<(typeof operations)[number], number>

const file = fileURLToPath(new URL('./cpu-budgets.json', import.meta.url))
const budgets = JSON.parse(readFileSync(file, 'utf8')) as Budgets

const variant = new Variant()
try {
  await variant.send({
    kind: 'open',
    checkout: fileURLToPath(new URL('..', import.meta.url)),
    settings: {},
    preload: [],
    connections: 8,
    orders: 5_000,
  })
  let isKept = false
  let best = await measureAll()
  if (flags.write) writeFileSync(file, `${JSON.stringify(rounded(best), null, 2)}\n`)
  else isKept = judge(best)
  // A neighbour can slow down one measurement, but a slower API is slower in each.
  for (let attempt = 1; attempt < 5 && !isKept && !flags.write; attempt += 1) {
    best = lowerOf(best, await measureAll())
    isKept = judge(best)
  }
  await variant.send({ kind: 'close' })
  if (!isKept && !flags.write) process.exitCode = 1
} finally {
  variant.end()
}

async function measureAll(): Promise<Budgets> {
  for (let pass = 0; pass < 200; pass += 1) workUnit()
  const measured: Partial<Budgets> = {}
  for (const operation of operations) {
    await variant.send({ kind: 'prepare', operation })
    await variant.batch(Number(flags['warm-up']))
    const ratios: number[] = []
    for (let round = 0; round < Number(flags.rounds); round += 1) {
      const before = unitMicroseconds()
      const { api } = await variant.batch(Number(flags.requests))
      ratios.push(api / ((before + unitMicroseconds()) / 2))
    }
    // The lower batches count: other work on the machine, and garbage collections, only ever add to a batch.
    measured[operation] = percentile(ratios, 0.25)
  }
  return measured as Budgets
}

/** Prints the figures. Returns true if all budgets are kept. */
function judge(measured: Budgets): boolean {
  printTable(
    ['request', 'CPU of the API', 'budget', 'of the budget'],
    operations.map((name) => [
      name,
      measured[name].toFixed(2),
      (budgets[name] * slack).toFixed(2),
      `${((measured[name] / budgets[name] / slack) * 100).toFixed(0)} %`,
    ]),
  )
  const exceeded = operations.filter((name) => measured[name] > budgets[name] * slack)
  say(`cpu budgets: ${exceeded.length === 0 ? 'kept' : `exceeded by ${exceeded.join(', ')}`}`)
  return exceeded.length === 0
}

function lowerOf(one: Budgets, other: Budgets): Budgets {
  return Object.fromEntries(operations.map((name) => [name, Math.min(one[name], other[name])])) as Budgets
}

function rounded(measured: Budgets): Budgets {
  return Object.fromEntries(operations.map((name) => [name, Number(measured[name].toFixed(2))])) as Budgets
}

/** Returns the microseconds of CPU time of this process for one unit of work. */
function unitMicroseconds(): number {
  const passes = 20
  const before = nanosecondsOf(process.pid)
  for (let pass = 0; pass < passes; pass += 1) workUnit()
  return (nanosecondsOf(process.pid) - before) / 1_000 / passes
}

/** Typical work of an API: objects, strings and JSON. */
function workUnit(): number {
  const rows = Array.from({ length: 50 }, (_, number) => ({
    id: `018f3c5e-0000-7000-8000-${String(number).padStart(12, '0')}`,
    status: 'ORDERED',
    units: String(number * 100_000_000),
    total_amount: number * 12.5,
    created_at: '2026-07-02T10:00:00.000Z',
  }))
  const text = JSON.stringify({ count: rows.length, results: rows })
  return JSON.parse(text).results.length + Buffer.byteLength(text)
}
