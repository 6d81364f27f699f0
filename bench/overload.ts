// Measures what callers notice when the API gets more requests than it can process. First the throughput of callers who
// wait for each response; then the latency at 70 % of that rate; then, at 150 % of it, how much is still served, and
// how quickly the rest is rejected. Callers at a rate are independent of each other and do not wait for the API.
import { type LoadResult, runHttpLoad } from './http-load.ts'
import { BenchInstallation } from './installation.ts'
import { numberOptions } from './number-options.ts'
import { loadOrderBook } from './orders.ts'
import { median, percentile } from './percentile.ts'
import { printTable, say } from './print.ts'
import { pageWorkload, singleOrderWorkload, type Workload } from './workloads.ts'

const { rounds, seconds, connections, callers, orders } = numberOptions({
  rounds: 3,
  seconds: 6,
  connections: 32,
  // Enough callers that a request rarely waits for the previous one of its caller. They share the tokens of the
  // connections.
  callers: 500,
  orders: 50_000,
})

interface Round {
  readonly saturated: number
  readonly offered: number
  readonly p50: number
  readonly p99: number
  readonly kept: number
  readonly rejected: number
  readonly rejectedP99: number
}

const bench = await BenchInstallation.open({ connections: 10 })
try {
  const book = await loadOrderBook(bench.installation, { accounts: 1_000, orders })
  await bench.startApi({ isProtected: true })
  const rows: string[][] = []
  for (const [name, make] of [
    ['page', pageWorkload],
    ['order', singleOrderWorkload],
  ] as const) {
    const few = await make(bench, book, connections)
    const many = withConnections(few, callers)
    say(`Warming up: ${name} …`)
    await load(few)
    const measured: Round[] = []
    for (let round = 0; round < rounds; round += 1) measured.push(await measure(few, many))
    const of = (key: keyof Round) => median(measured.map((one) => one[key]))
    rows.push([
      name,
      of('saturated').toFixed(0),
      of('offered').toFixed(0),
      of('p50').toFixed(1),
      of('p99').toFixed(1),
      (of('p99') / of('p50')).toFixed(1),
      `${(of('kept') * 100).toFixed(0)} %`,
      `${(of('rejected') * 100).toFixed(0)} %`,
      of('rejectedP99').toFixed(0),
    ])
  }
  printTable(
    ['request', 'saturated/s', 'offered/s', 'p50 at 70 %', 'p99', 'p99/p50', 'kept', 'rejected', 'rejected p99 ms'],
    rows,
  )
  const line = rows.map((row) => `${row[0]} p99/p50 ${row[5]}, kept ${row[6]}, rejected within ${row[8]} ms`)
  say(`overload: ${line.join('; ')}`)
} finally {
  await bench.close()
}

function load(workload: Workload, perSecond?: number): Promise<LoadResult> {
  return runHttpLoad({
    port: bench.port,
    seconds,
    ...workload,
    // A process responds 429 to a tenant that uses up its share of the slots. The rate limits are far above this load.
    expectedStatus: [200, 429, 503],
    ...(perSecond !== undefined && { perSecond }),
  })
}

async function measure(few: Workload, many: Workload): Promise<Round> {
  const saturated = servedPerSecond(await load(few))
  const usual = await load(many, saturated * 0.7)
  const over = await load(many, saturated * 1.5)
  const rejected = over.latencies.filter((_, index) => over.statuses[index] !== 200)
  return {
    saturated,
    offered: over.latencies.length / over.seconds,
    p50: percentile(usual.latencies, 0.5),
    p99: percentile(usual.latencies, 0.99),
    kept: servedPerSecond(over) / saturated,
    rejected: rejected.length / over.latencies.length,
    rejectedP99: rejected.length > 0 ? percentile(rejected, 0.99) : 0,
  }
}

function servedPerSecond({ statuses, seconds: taken }: LoadResult): number {
  return statuses.filter((status) => status === 200).length / taken
}

function withConnections(workload: Workload, count: number): Workload {
  const { requestsOf } = workload
  return {
    ...workload,
    requestsOf: Array.from({ length: count }, (_, index) => requestsOf[index % requestsOf.length] ?? []),
  }
}
