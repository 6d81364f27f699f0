// What a flood of requests without a token takes away from authenticated callers. Windows with and without the flood
// alternate, so that other load on the machine affects both.
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { cpuTime } from './cpu-time.ts'
import { httpRequest, type LoadResult, runHttpLoad } from './http-load.ts'
import { BenchInstallation } from './installation.ts'
import { loadOrderBook } from './orders.ts'
import { median } from './percentile.ts'
import { pageWorkload } from './workloads.ts'

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '4' },
    connections: { type: 'string', default: '16' },
    flood: { type: 'string', default: '1000' },
    'profile-folder': { type: 'string' },
  },
})
const rounds = Number(flags.rounds)
const seconds = Number(flags.seconds)
const connections = Number(flags.connections)
const floodPerSecond = Number(flags.flood)

const bench = await BenchInstallation.open({ connections })
try {
  const book = await loadOrderBook(bench.installation, { accounts: 100, orders: 5_000 })
  await bench.startApi({ profileFolder: flags['profile-folder'] })
  const workload = await pageWorkload(bench, book, connections)
  const authenticated = () => runHttpLoad({ port: bench.port, seconds, ...workload })
  say('Warming up …')
  await withFlood(authenticated)
  const { flood: alone, apiCores: coresAlone } = await withFlood(() => sleep(seconds * 1000))
  say(`  the flood alone: ${((coresAlone / rateOf(alone)) * 1e6).toFixed(0)} µs of the API per rejected request`)
  const shares: number[] = []
  for (let round = 1; round <= rounds; round += 1) {
    const without = rateOf(await authenticated())
    const { result, flood, apiCores } = await withFlood(authenticated)
    const share = rateOf(result) / without
    shares.push(share)
    say(
      `  round ${round} of ${rounds}: ${without.toFixed(0)}/s without, ${rateOf(result).toFixed(0)}/s with ` +
        `${rateOf(flood).toFixed(0)}/s without a token, ${(share * 100).toFixed(0)} %, API ${apiCores.toFixed(2)} cores`,
    )
  }
  const percent = (median(shares) * 100).toFixed(0)
  say(`flood: authenticated throughput ${percent} % of the throughput without the flood`)
} finally {
  await bench.close()
}

/** Measures while another address sends requests without a token. */
async function withFlood<Result>(
  measure: () => Promise<Result>,
): Promise<{ result: Result; flood: LoadResult; apiCores: number }> {
  const strangers = 50
  const flood = runHttpLoad({
    port: bench.port,
    seconds: seconds + 1,
    requestsOf: Array.from({ length: strangers }, () => [httpRequest('GET', '/offerings', {})]),
    // 429 once the address has sent too many.
    expectedStatus: [401, 429],
    localAddress: '127.0.0.2',
    perSecond: floodPerSecond,
  })
  const [earlier, startedAt] = [cpuTime(bench.processes).api, performance.now()]
  const result = await measure()
  const apiCores = (cpuTime(bench.processes).api - earlier) / 1e6 / (performance.now() - startedAt)
  return { result, flood: await flood, apiCores }
}

function rateOf({ latencies, seconds: taken }: LoadResult): number {
  return latencies.length / taken
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
