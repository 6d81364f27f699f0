// The throughput of one API process as a share of the bare database's. Both alternate, so that other load on the machine
// affects both.
import { parseArgs } from 'node:util'
import { type BareResult, runBare } from './bare.ts'
import { type LoadResult, runHttpLoad } from './http-load.ts'
import { BenchInstallation } from './installation.ts'
import { loadOrderBook } from './orders.ts'
import { median, percentile } from './percentile.ts'
import { type ProcessorTime, perRequest, processorTime } from './processor-time.ts'
import { printTable } from './table.ts'
import { createAccountWorkload, pageWorkload, singleOrderWorkload, type Workload } from './workloads.ts'

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

interface Round {
  bare: BareResult
  pipelined: BareResult
  api: LoadResult
  processorTime: ProcessorTime
}

const bench = await BenchInstallation.open({ connections })
try {
  say(`Loading ${flags.orders} orders of ${flags.accounts} accounts …`)
  const book = await loadOrderBook(bench.installation, {
    accounts: Number(flags.accounts),
    orders: Number(flags.orders),
  })
  await bench.startApi({ profileFolder: flags['profile-folder'] })
  const makers = { page: pageWorkload, create: createAccountWorkload, order: singleOrderWorkload }
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
  const { port } = bench
  const api = (length: number) => runHttpLoad({ port, seconds: length, ...workload })
  const bare = (isPipelined: boolean, length: number) =>
    runBare(bench, isPipelined ? workload.pipelined : workload.bare, { connections, seconds: length })
  say(`${workload.title}: warming up …`)
  await bare(false, 2)
  await api(4)
  const measuredRounds: Round[] = []
  for (let round = 1; round <= rounds; round += 1) {
    const bareRound = await bare(false, seconds)
    const before = processorTime(bench.processes)
    const apiRound = await api(seconds)
    const after = processorTime(bench.processes)
    const pipelinedRound = await bare(true, seconds)
    const measured = {
      bare: bareRound,
      pipelined: pipelinedRound,
      api: apiRound,
      processorTime: perRequest(before, after, apiRound.latencies.length),
    }
    measuredRounds.push(measured)
    say(
      `  round ${round} of ${rounds}: bare ${whole(bareRound.transactionsPerSecond)}/s, ` +
        `pipelined ${whole(pipelinedRound.transactionsPerSecond)}/s, API ${whole(rateOf(apiRound))}/s, ` +
        `ratio ${ratioOf(measured).toFixed(2)}`,
    )
  }
  return measuredRounds
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
  say('\nCPU time per API request, in microseconds:\n')
  const times = measured.map(([, { title }, all]) => {
    const time = (of: (round: Round) => number) => whole(median(all.map(of)))
    return [
      title,
      time((round) => round.processorTime.api),
      time((round) => round.processorTime.postgres),
      time((round) => round.processorTime.redis),
      time(({ api }) => (api.processorSeconds * 1e6) / api.latencies.length),
    ]
  })
  printTable(['operation', 'API', 'PostgreSQL', 'Redis', 'load generator'], times)
  const ratios = measured.map(([name, , all]) => `${name} ${median(all.map(ratioOf)).toFixed(2)}`)
  say(`\nratios: ${ratios.join(', ')}`)
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

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
