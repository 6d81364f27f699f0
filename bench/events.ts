// The cost of events: accounts created in one tenant, where all clients share its counter, with and without events. Both
// alternate in one API process, so that other load on the machine affects both.
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { individual } from '../service/test/harness/data/bodies.ts'
import { until } from '../service/test/harness/wait.ts'
import { httpRequest, type LoadResult, runHttpLoad } from './http-load.ts'
import { BenchInstallation } from './installation.ts'
import { median, percentile } from './percentile.ts'
import { printTable } from './table.ts'

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '6' },
    seconds: { type: 'string', default: '6' },
    clients: { type: 'string', default: '32' },
  },
})
const rounds = Number(flags.rounds)
const clients = Number(flags.clients)

const bench = await BenchInstallation.open({ connections: clients })
try {
  const tenantId = await bench.installation.createTenant('Events')
  await bench.startApi({ preload: [fileURLToPath(new URL('./events-switch.ts', import.meta.url))] })
  // Numbers events in both cases.
  await bench.installation.startWorkerProcess()
  const tokens = await bench.tokens(tenantId, clients)
  const requestsOf = tokens.map((token) => [
    httpRequest('POST', '/accounts', { token, body: individual, isKeyed: true }),
  ])
  const load = (seconds: number) => runHttpLoad({ port: bench.port, seconds, requestsOf, expectedStatus: 201 })

  const measured = { on: [] as LoadResult[], off: [] as LoadResult[] }
  say('Warming up …')
  await load(4)
  for (let round = 1; round <= rounds; round += 1) {
    // The order alternates, so that the growing table favours neither.
    for (const isOn of round % 2 ? [true, false] : [false, true])
      measured[isOn ? 'on' : 'off'].push(await measure(isOn, load))
    const ratio = rateOf(measured.on.at(-1)) / rateOf(measured.off.at(-1))
    say(
      `  round ${round} of ${rounds}: with events ${rateOf(measured.on.at(-1)).toFixed(0)}/s, ` +
        `without ${rateOf(measured.off.at(-1)).toFixed(0)}/s, ratio ${ratio.toFixed(2)}`,
    )
  }
  report(measured)
} finally {
  await bench.close()
}

/** Measures one case and checks it: as many events as accounts, or none. */
async function measure(isOn: boolean, load: (seconds: number) => Promise<LoadResult>): Promise<LoadResult> {
  process.kill(bench.processes.api, isOn ? 'SIGCONT' : 'SIGWINCH')
  const before = await counts()
  const result = await load(Number(flags.seconds))
  // Includes requests that were in flight when the time ended.
  let after = await counts()
  await until('the last requests have completed', async () => {
    const earlier = after
    after = await counts()
    return after.accounts === earlier.accounts && after.events === earlier.events
  })
  const events = after.events - before.events
  if (events !== (isOn ? after.accounts - before.accounts : 0))
    throw new Error(`${after.accounts - before.accounts} accounts and ${events} events`)
  return result
}

async function counts(): Promise<{ accounts: number; events: number }> {
  const { rows } = await bench.installation.owner((client) =>
    client.query<{ accounts: number; events: number }>(`
      select (select sum(account_count)::int from cell.tenant) as accounts,
             (select count(*)::int from cell.event_outbox)
               + coalesce((select sum(last_sequence)::int from cell.event_head), 0) as events`),
  )
  return rows[0] ?? { accounts: 0, events: 0 }
}

function report({ on, off }: { on: LoadResult[]; off: LoadResult[] }): void {
  say(`\n${clients} clients in one tenant, ${rounds} rounds of ${flags.seconds} s; rates are medians of the rounds.\n`)
  const row = (who: string, results: LoadResult[]) => {
    const latencies = results.flatMap((result) => result.latencies)
    return [
      who,
      median(results.map(rateOf)).toFixed(0),
      percentile(latencies, 0.5).toFixed(2),
      percentile(latencies, 0.99).toFixed(2),
    ]
  }
  printTable(['create account, keyed', 'per second', 'p50 ms', 'p99 ms'], [row('with events', on), row('without', off)])
  const ratios = on.map((result, index) => rateOf(result) / rateOf(off[index]))
  say(`\nevents ratio: ${median(ratios).toFixed(2)}`)
}

function rateOf(result: LoadResult | undefined): number {
  return result ? result.latencies.length / result.seconds : 0
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
