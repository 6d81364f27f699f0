// Orders per second that one offering accepts from many clients, against pgbench, which sends the same statements, all
// after the first in one round trip, and competes for the same lock. Both alternate.
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { runBare } from './bare.ts'
import { runHttpLoad } from './http-load.ts'
import { BenchInstallation } from './installation.ts'
import { loadOrderBook } from './orders.ts'
import { median, percentile } from './percentile.ts'
import { perRequest, processorTime } from './processor-time.ts'
import { printTable } from './table.ts'
import { keyedReserveWorkload, reserveWorkload, type Workload } from './workloads.ts'

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '6' },
    accounts: { type: 'string', default: '10000' },
    clients: { type: 'string', default: '32' },
    pool: { type: 'string', default: '32' },
    'warm-up': { type: 'string', default: '10000' },
    'profile-folder': { type: 'string' },
  },
})
const seconds = Number(flags.seconds)
const clients = Number(flags.clients)

interface Result {
  readonly rate: number
  readonly ratio: number
  readonly row: readonly string[]
}

const bench = await BenchInstallation.open({ connections: Number(flags.pool) })
try {
  const book = await loadOrderBook(bench.installation, { accounts: Number(flags.accounts), orders: 1_000 })
  await bench.startApi({ profileFolder: flags['profile-folder'] })
  const keyless = await measure(await reserveWorkload(bench, book, clients))
  const keyed = await measure(await keyedReserveWorkload(bench, book, clients))
  print(`\n${clients} clients, ${flags.rounds} rounds of ${seconds} s, load average ${loadavg()[0]?.toFixed(1)}:\n`)
  printTable(
    ['orders', 'pgbench/s', 'API/s', 'p50 ms', 'p99 ms', 'API µs', 'PostgreSQL µs', 'pgbench: PostgreSQL µs'],
    [keyless.row, keyed.row].map((row) => [...row]),
  )
  print(
    `\nhot offering: keyless ${keyless.rate.toFixed(0)}/s, keyed ${keyed.rate.toFixed(0)}/s, ratio to pgbench ` +
      `${keyless.ratio.toFixed(2)}, ${keyed.ratio.toFixed(2)}`,
  )
} finally {
  await bench.close()
}

async function measure(workload: Workload): Promise<Result> {
  const bare = (length: number) => runBare(bench, workload.pipelined, { connections: clients, seconds: length })
  print(`${workload.title}: warming up …`)
  await bare(2)
  await runHttpLoad({ port: bench.port, seconds: 600, requests: Number(flags['warm-up']), ...workload })
  const rounds = []
  for (let round = 0; round < Number(flags.rounds); round += 1) {
    const start = processorTime(bench.processes)
    const pgbench = await bare(seconds)
    const middle = processorTime(bench.processes)
    const api = await runHttpLoad({ port: bench.port, seconds, ...workload })
    const end = processorTime(bench.processes)
    rounds.push({
      bare: pgbench.transactionsPerSecond,
      api: api.latencies.length / api.seconds,
      latencies: api.latencies,
      bareTime: perRequest(start, middle, pgbench.transactions),
      time: perRequest(middle, end, api.latencies.length),
    })
  }
  const rate = median(rounds.map(({ api }) => api))
  const latencies = rounds.flatMap((round) => round.latencies)
  return {
    rate,
    ratio: median(rounds.map((round) => round.api / round.bare)),
    row: [
      workload.title,
      median(rounds.map((round) => round.bare)).toFixed(0),
      rate.toFixed(0),
      percentile(latencies, 0.5).toFixed(1),
      percentile(latencies, 0.99).toFixed(1),
      median(rounds.map(({ time }) => time.api)).toFixed(0),
      median(rounds.map(({ time }) => time.postgres)).toFixed(0),
      median(rounds.map(({ bareTime }) => bareTime.postgres)).toFixed(0),
    ],
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
