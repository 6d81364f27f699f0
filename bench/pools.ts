// What an installation with many cells costs each of them while no one uses it: `npm run bench:pools -- --cells 50`
import { parseArgs } from 'node:util'
import { PoolMeasurement } from '../service/test/harness/pool-measurement.ts'
import { percentile } from './percentile.ts'
import { printTable } from './table.ts'

const { values } = parseArgs({
  options: {
    cells: { type: 'string', default: '50' },
    workers: { type: 'string', default: '10' },
    apis: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '60' },
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
const measurement = await PoolMeasurement.create(settings, print)
try {
  print(`Starting ${settings.workers} workers and ${settings.apis} APIs …`)
  await measurement.start()
  await measurement.untilLeased(2, 600_000)
  print(`Measuring for ${settings.seconds} s …`)
  const cells = await measurement.measure()
  const row = (name: string, figures: readonly number[]) => [
    name,
    ...[Math.min(...figures), percentile(figures, 0.5), Math.max(...figures)].map((figure) => figure.toFixed(1)),
  ]
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
  await measurement.end()
}
