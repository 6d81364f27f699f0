// What an installation with many cells costs each of them while no one uses it:
//
//   npm run bench:pools                                          50 cells, 10 workers, 4 APIs
//   npm run bench:pools -- --cells 5 --workers 3 --apis 1        smaller
//   npm run bench:pools -- --each                                also prints the figures of each cell
//
// Fails if a cell has more than 60 connections or 10 idle transactions a second, and if it takes longer than --minutes.
import { parseArgs } from 'node:util'
import { PoolMeasurement } from '../service/test/harness/load/pool-measurement.ts'
import { percentile } from './percentile.ts'
import { printTable } from './table.ts'

const { values } = parseArgs({
  options: {
    cells: { type: 'string', default: '50' },
    workers: { type: 'string', default: '10' },
    apis: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '60' },
    minutes: { type: 'string', default: '20' },
    each: { type: 'boolean', default: false },
  },
})
const print = (line: string) => void process.stdout.write(`${line}\n`)
const settings = {
  cells: Number(values.cells),
  workers: Number(values.workers),
  apis: Number(values.apis),
  seconds: Number(values.seconds),
  cellsPerProcessMax: 25,
}
const limitMs = Number(values.minutes) * 60_000
const endsAt = performance.now() + limitMs
const measurement = await PoolMeasurement.create(settings, print)
// Also while processes start, which may take as long as they want on a busy machine.
const limit = setTimeout(
  () => {
    print(`Not done after ${values.minutes} minutes.`)
    void measurement.end().finally(() => process.exit(1))
  },
  Math.max(0, endsAt - performance.now()),
)
try {
  print(`Starting ${settings.workers} workers and ${settings.apis} APIs …`)
  await measurement.start()
  await measurement.untilLeased(2, limitMs)
  print(`Measuring for ${settings.seconds} s …`)
  const cells = await measurement.measure()
  const row = (name: string, figures: readonly number[]) => [
    name,
    ...[Math.min(...figures), percentile(figures, 0.5), Math.max(...figures)].map((figure) => figure.toFixed(1)),
  ]
  if (values.each)
    printTable(
      ['cell', 'connections', 'idle transactions a second'],
      cells.map(({ cell, connections, transactionsPerSecond }) => [
        cell,
        String(connections),
        transactionsPerSecond.toFixed(1),
      ]),
    )
  const connections = cells.map((cell) => cell.connections)
  const transactions = cells.map((cell) => cell.transactionsPerSecond)
  printTable(
    ['of a cell', 'least', 'median', 'most'],
    [row('connections', connections), row('idle transactions a second', transactions)],
  )
  const [most, busiest] = [Math.max(...connections), Math.max(...transactions)]
  print(
    `pools: ${settings.cells} cells, ${settings.workers} workers, ${settings.apis} APIs, at most ${most} connections ` +
      `and ${busiest.toFixed(1)} idle transactions/s for each cell`,
  )
  process.exitCode = most > 60 || busiest > 10 ? 1 : 0
} finally {
  clearTimeout(limit)
  await measurement.end()
}
