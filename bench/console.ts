// Measures what an operator waits for in a tenant with ten million orders, with eight clients: pages of lists, first
// and deep, searches, work and sums; and the memory that an export of a million rows takes. `--keep FOLDER` loads the
// rows once and measures again in the next run.
import { parseArgs } from 'node:util'
import { consoleBook } from './console-book.ts'
import { listMeasurements } from './console-lists.ts'
import { deepRatio, type Measured, measureAll, slowestOf } from './console-measurement.ts'
import { overviewMeasurements } from './console-overviews.ts'
import { searchMeasurements } from './console-searches.ts'
import { exportLine, measureExport } from './export.ts'
import { BenchInstallation } from './installation.ts'
import { average, percentile } from './percentile.ts'
import { printTable, say } from './print.ts'

const { values: flags } = parseArgs({
  options: {
    orders: { type: 'string', default: '10000000' },
    accounts: { type: 'string' },
    unassigned: { type: 'string' },
    'export-rows': { type: 'string' },
    rounds: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '2' },
    keep: { type: 'string' },
  },
})
const orders = Number(flags.orders)
const sizes = {
  orders,
  accounts: Number(flags.accounts ?? Math.ceil(orders / 10)),
  unassigned: Number(flags.unassigned ?? Math.ceil(orders / 100)),
}
const exportRows = Number(flags['export-rows'] ?? Math.ceil(orders / 10))
const clients = 8
const usersOfClient = 12

const bench = await BenchInstallation.open({ connections: clients, ...(flags.keep && { keep: flags.keep }) })
try {
  const { installation } = bench
  say(`${orders} orders, ${sizes.accounts} accounts, ${sizes.unassigned} unassigned payments …`)
  const book = await consoleBook(bench, sizes, say)
  await bench.startApi({ callers: 'operators' })
  const tokensOf: string[][] = []
  for (let client = 0; client < clients; client += 1) {
    const tokens: string[] = []
    while (tokens.length < usersOfClient) tokens.push((await installation.createOperator(book.tenantId)).token)
    tokensOf.push(tokens)
  }
  const measurements = [
    ...(await listMeasurements(installation, book)),
    ...(await searchMeasurements(installation, book)),
    ...(await overviewMeasurements(installation, book)),
  ]
  say(`Measuring ${measurements.length} requests with ${clients} clients …`)
  const load = { port: bench.port, tokensOf, rounds: Number(flags.rounds), seconds: Number(flags.seconds) }
  const measured = await measureAll(measurements, load, (round) => say(`  round ${round} of ${load.rounds}`))
  say(`Exporting ${exportRows} orders …`)
  const until = (rows: number) => ({ to: new Date(book.startedAtMs + rows * book.orderEveryMs).toISOString() })
  const exported = await measureExport(installation.settings, {
    tenantId: book.tenantId,
    small: until(exportRows / 2),
    large: until(exportRows),
  })
  say(exportLine(exported))
  report(measured, exported.mebibytes)
} finally {
  await bench.close()
}

function report(measured: readonly Measured[], mebibytes: number): void {
  printTable(
    ['request', 'page', 'p50 ms', 'p95 ms', 'load'],
    measured.map(({ name, depth = '', latencies, loads }) => [
      name,
      depth,
      percentile(latencies, 0.5).toFixed(1),
      percentile(latencies, 0.95).toFixed(1),
      average(loads).toFixed(1),
    ]),
  )
  const p95 = (kind: Measured['kind']) => `${kind} p95 ${slowestOf(measured, kind).toFixed(0)} ms`
  say(`\n${p95('summary')}`)
  say(
    `console: ${p95('list')}, ${p95('search')}, ${p95('work')}, deep ratio ${deepRatio(measured).toFixed(2)}, ` +
      `export +${mebibytes.toFixed(0)} MiB`,
  )
}
