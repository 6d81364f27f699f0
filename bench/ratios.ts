// Measures the throughput of one API process as a share of the bare database's. Both alternate, so that other load on
// the machine affects both.
import { parseArgs } from 'node:util'
import { type BareResult, runBare } from './bare.ts'
import { type CpuTime, cpuPerRequest, cpuTimeWithEnded } from './cpu-time.ts'
import { type LoadResult, runHttpLoad } from './http-load.ts'
import { BenchInstallation } from './installation.ts'
import { loadOrderBook } from './orders.ts'
import { median, percentile } from './percentile.ts'
import { printTable, say } from './print.ts'
import {
  createAccountWorkload,
  pageWorkload,
  reserveWorkload,
  singleOrderWorkload,
  type Workload,
} from './workloads.ts'

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '8' },
    orders: { type: 'string', default: '100000' },
    accounts: { type: 'string', default: '10000' },
    connections: { type: 'string', default: '16' },
    only: { type: 'string', default: 'page,create,order' },
    'profile-folder': { type: 'string' },
  },
})
const rounds = Number(flags.rounds)
const seconds = Number(flags.seconds)
const connections = Number(flags.connections)

/** Enough for V8 to have compiled what it will: after 10,000, a fifth of the samples were still in its compiler. */
const warmUpRequests = 20_000

interface Round {
  bare: BareResult
  pipelined: BareResult
  api: LoadResult
  cpu: CpuTime
  /** Microseconds that PostgreSQL spends on each bare transaction. */
  barePostgres: number
  garbage: number
}

const bench = await BenchInstallation.open({ connections })
try {
  say(`Loading ${flags.orders} orders of ${flags.accounts} accounts …`)
  const book = await loadOrderBook(bench.installation, {
    accounts: Number(flags.accounts),
    orders: Number(flags.orders),
  })
  await bench.startApi({ profileFolder: flags['profile-folder'], countsGarbage: true })
  const makers = {
    page: pageWorkload,
    create: createAccountWorkload,
    order: singleOrderWorkload,
    reserve: reserveWorkload,
  }
  const wanted = Object.entries(makers).filter(([name]) => flags.only.split(',').includes(name))
  const measured: [string, Workload, Round[]][] = []
  for (const [name, make] of wanted) {
    const workload = await make(bench, book, connections)
    measured.push([name, workload, await measure(workload)])
  }
  report(measured)
} finally {
  await bench.close()
}

async function measure(workload: Workload): Promise<Round[]> {
  const bare = (isPipelined: boolean, length: number) =>
    runBare(bench, isPipelined ? workload.pipelined : workload.bare, { connections, seconds: length })
  say(`${workload.title}: warming up …`)
  await bare(false, 2)
  await runHttpLoad({ port: bench.port, seconds: 600, requests: warmUpRequests, ...workload })
  const measuredRounds: Round[] = []
  for (let round = 1; round <= rounds; round += 1) {
    const measured = await measureRound(workload, bare)
    measuredRounds.push(measured)
    say(
      `  round ${round} of ${rounds}: bare ${whole(measured.bare.transactionsPerSecond)}/s, ` +
        `pipelined ${whole(measured.pipelined.transactionsPerSecond)}/s, API ${whole(rateOf(measured.api))}/s, ` +
        `ratio ${ratioOf(measured).toFixed(2)}`,
    )
  }
  return measuredRounds
}

async function measureRound(
  workload: Workload,
  bare: (isPipelined: boolean, length: number) => Promise<BareResult>,
): Promise<Round> {
  const beforeBare = cpuTimeWithEnded(bench.processes)
  const bareRound = await bare(false, seconds)
  const before = cpuTimeWithEnded(bench.processes)
  await bench.garbage()
  const api = await runHttpLoad({ port: bench.port, seconds, ...workload })
  const garbage = await bench.garbage()
  const after = cpuTimeWithEnded(bench.processes)
  return {
    bare: bareRound,
    pipelined: await bare(true, seconds),
    api,
    cpu: cpuPerRequest(before, after, api.latencies.length),
    barePostgres: cpuPerRequest(beforeBare, before, bareRound.transactions).postgres,
    garbage: garbage / api.latencies.length,
  }
}

function report(measured: readonly [string, Workload, Round[]][]): void {
  say(
    `\n${connections} connections each, ${rounds} rounds of ${seconds} s; rates and ratios are medians of the rounds.\n`,
  )
  const speeds = measured.flatMap(([, { title }, all]) => {
    const speed = (who: string, rates: number[], latencies: number[], ratios: number[]) => [
      title,
      who,
      whole(median(rates)),
      percentile(latencies, 0.5).toFixed(2),
      percentile(latencies, 0.99).toFixed(2),
      median(ratios).toFixed(2),
    ]
    const bareRates = all.map(({ bare }) => bare.transactionsPerSecond)
    const pipelinedRates = all.map(({ pipelined }) => pipelined.transactionsPerSecond)
    return [
      speed(
        'bare',
        bareRates,
        all.flatMap(({ bare }) => bare.latencies),
        [1],
      ),
      speed(
        'bare, pipelined',
        pipelinedRates,
        all.flatMap(({ pipelined }) => pipelined.latencies),
        all.map(({ bare, pipelined }) => pipelined.transactionsPerSecond / bare.transactionsPerSecond),
      ),
      speed(
        'API',
        all.map(({ api }) => rateOf(api)),
        all.flatMap(({ api }) => api.latencies),
        all.map(ratioOf),
      ),
    ]
  })
  printTable(['operation', 'who', 'per second', 'p50 ms', 'p99 ms', 'to bare'], speeds)
  reportCost(measured)
}

/** Reports the cost of a request per process, and the database's efficiency: the same statements without an API. */
function reportCost(measured: readonly [string, Workload, Round[]][]): void {
  say('\nCPU time per request, in microseconds, and garbage:\n')
  const times = measured.map(([, { title }, all]) => {
    const time = (of: (round: Round) => number) => whole(median(all.map(of)))
    return [
      title,
      time((round) => round.cpu.api),
      time((round) => round.cpu.postgres),
      time((round) => round.barePostgres),
      median(all.map(efficiencyOf)).toFixed(2),
      time((round) => round.cpu.redis),
      time(({ api }) => (api.processorSeconds * 1e6) / api.latencies.length),
      time((round) => round.garbage / 1_000),
    ]
  })
  printTable(
    ['operation', 'API', 'PostgreSQL', 'PostgreSQL, bare', 'efficiency', 'Redis', 'load generator', 'garbage kB'],
    times,
  )
  const line = (name: string, of: (all: readonly Round[]) => string) =>
    say(`${name}: ${measured.map(([operation, , all]) => `${operation} ${of(all)}`).join(', ')}`)
  say('')
  line('efficiency', (all) => median(all.map(efficiencyOf)).toFixed(2))
  line('cpu', (all) => whole(median(all.map((round) => round.cpu.api))))
  line('ratios', (all) => median(all.map(ratioOf)).toFixed(2))
}

function efficiencyOf({ barePostgres, cpu: { postgres } }: Round): number {
  return barePostgres / postgres
}

function rateOf({ latencies, seconds: taken }: LoadResult): number {
  return latencies.length / taken
}

function ratioOf({ bare, api }: Round): number {
  return rateOf(api) / bare.transactionsPerSecond
}

function whole(value: number): string {
  return value.toFixed(0)
}
