// Whether a request costs the same CPU time with more API processes and as much more load, and with a second cell. All
// processes run all the time; batches, in random order, go to some of them, each at the same rate.
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { TestInstallation } from '../service/test/harness/installation/test-installation.ts'
import { barChart } from './bar-chart.ts'
import { cpuTime, nanosecondsOf } from './cpu-time.ts'
import { type Requests, runHttpLoad } from './http-load.ts'
import { BenchInstallation } from './installation.ts'
import { loadOrderBook } from './orders.ts'
import { median } from './percentile.ts'
import { printTable } from './table.ts'
import { pageRequests } from './workloads.ts'

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '12' },
    seconds: { type: 'string', default: '2' },
    'per-second': { type: 'string', default: '150' },
    orders: { type: 'string', default: '50000' },
    'warm-up': { type: 'string', default: '20000' },
    picture: { type: 'string', default: 'docs/linear.svg' },
  },
})
const connections = 16
const settings = [
  { name: '1 process', processes: 1, cells: 1 },
  { name: '2 processes', processes: 2, cells: 1 },
  { name: '4 processes', processes: 4, cells: 1 },
  { name: '2 processes, 2 cells', processes: 2, cells: 2 },
]
type Setting = (typeof settings)[number]

const bench = await BenchInstallation.open({ connections: 10, cells: ['main', 'second'] })
try {
  const sizes = { accounts: 5_000, orders: Number(flags.orders) }
  say(`Loading ${sizes.orders} orders into each of two cells …`)
  const first = await loadOrderBook(bench.installation, sizes)
  const tenantId = await bench.installation.createTenant('Other order book', { cell: 'second' })
  const inSecond = new TestInstallation({
    ...bench.installation.settings,
    DATABASE_URL: bench.cells.get('second') ?? '',
    CELLS: '',
  })
  const second = await loadOrderBook(inSecond, { ...sizes, tenantId })
  await inSecond.end()
  for (let count = 0; count < 4; count += 1) await bench.startApi()
  const requestsOfCell = [await pageRequests(bench, first, connections), await pageRequests(bench, second, connections)]
  say('Warming up …')
  for (const { port } of bench.apis)
    for (const requestsOf of requestsOfCell)
      await runHttpLoad({ port, seconds: 600, requests: Number(flags['warm-up']), requestsOf, expectedStatus: 200 })
  const measured = new Map<string, number[]>()
  for (let round = 0; round < Number(flags.rounds); round += 1)
    for (const setting of settings.toSorted(() => Math.random() - 0.5))
      measured.set(setting.name, [...(measured.get(setting.name) ?? []), await measure(setting, requestsOfCell)])
  const throughput = new Map<string, number>()
  for (const setting of settings) throughput.set(setting.name, await saturate(setting, requestsOfCell))
  report(measured, throughput)
} finally {
  await bench.close()
}

/** Microseconds of API and PostgreSQL for each page. */
async function measure({ processes, cells }: Setting, requestsOfCell: readonly Requests[][]): Promise<number> {
  const used = bench.apis.slice(0, processes)
  const total = () => used.reduce((sum, { pid }) => sum + nanosecondsOf(pid), cpuTime(bench.processes).postgres)
  const before = total()
  const requests = await readPages({ processes, cells }, requestsOfCell, Number(flags['per-second']))
  return (total() - before) / 1_000 / requests
}

/** Pages per second, as many as the processes can serve. */
async function saturate(setting: Setting, requestsOfCell: readonly Requests[][]): Promise<number> {
  return (await readPages(setting, requestsOfCell)) / Number(flags.seconds)
}

/** Returns the number of pages read. Without a rate for each process, the connections send without a pause. */
async function readPages(
  { processes, cells }: Pick<Setting, 'processes' | 'cells'>,
  requestsOfCell: readonly Requests[][],
  perSecond?: number,
): Promise<number> {
  const share = connections / processes
  const results = await Promise.all(
    bench.apis.slice(0, processes).map(({ port }, index) =>
      runHttpLoad({
        port,
        seconds: Number(flags.seconds),
        requestsOf: (requestsOfCell[index % cells] ?? []).slice(index * share, (index + 1) * share),
        expectedStatus: 200,
        ...(perSecond === undefined ? {} : { perSecond }),
      }),
    ),
  )
  return results.reduce((sum, { latencies }) => sum + latencies.length, 0)
}

function report(measured: ReadonlyMap<string, readonly number[]>, throughput: ReadonlyMap<string, number>): void {
  const base = median(measured.get(settings[0]?.name ?? '') ?? [])
  const of = (name: string) => median(measured.get(name) ?? [])
  printTable(
    ['set-up', 'CPU µs of a page', 'of one process', 'pages/s at saturation'],
    settings.map(({ name }) => [
      name,
      of(name).toFixed(0),
      (of(name) / base).toFixed(3),
      (throughput.get(name) ?? 0).toFixed(0),
    ]),
  )
  const bars = settings.map(({ name }) => ({ name, value: of(name) }))
  const served = settings.map(({ name }) => ({ name, value: throughput.get(name) ?? 0 }))
  const groups = [
    { title: 'CPU time of a page, API and PostgreSQL, µs', bars },
    { title: 'Pages per second at saturation, on all cores', bars: served },
  ]
  writeFileSync(flags.picture, barChart(groups))
  const most = Math.max(...settings.map(({ name }) => Math.abs(of(name) / base - 1)))
  say(`linear: CPU per request differs by ${(most * 100).toFixed(1)} % at most; picture in ${flags.picture}`)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
