// Measures the cost of a page deep in a list of ten million, and the orders per second that one offering accepts.
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { barChart } from './bar-chart.ts'
import { httpRequest, type LoadResult, runHttpLoad } from './http-load.ts'
import { BenchInstallation } from './installation.ts'
import { loadOrderBook, type OrderBook } from './orders.ts'
import { percentile } from './percentile.ts'
import { printTable, say } from './print.ts'

const { values: flags } = parseArgs({
  options: {
    orders: { type: 'string', default: '10000000' },
    accounts: { type: 'string', default: '5000' },
    rounds: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '2' },
    'insert-seconds': { type: 'string', default: '10' },
    picture: { type: 'string', default: 'docs/lists.svg' },
  },
})
const orders = Number(flags.orders)
const rounds = Number(flags.rounds)
const pageLimit = 50
const insertClients = 32
// One client, because the benchmark measures the latency of a page, not throughput.
const readClients = 1

interface Depth {
  readonly direction: 'asc' | 'desc'
  readonly offset: number
  readonly latencies: number[]
}

const bench = await BenchInstallation.open({ connections: insertClients })
try {
  say(`Loading ${orders} orders of ${flags.accounts} accounts …`)
  const startedAt = performance.now()
  const book = await loadOrderBook(bench.installation, { accounts: Number(flags.accounts), orders })
  say(`Loaded in ${((performance.now() - startedAt) / 1000).toFixed(0)} s.`)
  await bench.startApi()
  const depths = await readPages(book)
  await insertOrders(book)
  await assertDense(book)
  report(depths)
} finally {
  await bench.close()
}

/** Reads every depth once per round, so that other load on the machine affects all of them alike. */
async function readPages({ tenantId, offeringId }: OrderBook): Promise<Depth[]> {
  const offsets = [0, orders / 10, orders / 2, orders - pageLimit].map(Math.floor)
  const depths = offsets.flatMap((offset) =>
    (['desc', 'asc'] as const).map((direction): Depth => ({ direction, offset, latencies: [] })),
  )
  const tokens = await bench.tokens(tenantId, readClients)
  const read = ({ direction, offset }: Depth, seconds: number): Promise<LoadResult> => {
    const path = `/offerings/${offeringId}/orders?limit=${pageLimit}&offset=${offset}&direction=${direction}`
    const requestsOf = tokens.map((token) => [httpRequest('GET', path, { token })])
    return runHttpLoad({ port: bench.port, seconds, requestsOf, expectedStatus: 200 })
  }
  say('Reading pages …')
  for (const depth of depths) await read(depth, 1)
  for (let round = 0; round < rounds; round += 1)
    for (const depth of depths) depth.latencies.push(...(await read(depth, Number(flags.seconds))).latencies)
  return depths
}

/** Lets all clients insert into one offering: the worst case for the counter in its row. */
async function insertOrders({ tenantId, offeringId, accountIds }: OrderBook): Promise<void> {
  const tokens = await bench.tokens(tenantId, insertClients)
  const rows = []
  for (const isKeyed of [false, true]) {
    const requestsOf = tokens.map((token) =>
      Array.from({ length: 100 }, () => {
        const accountId = accountIds[Math.floor(Math.random() * accountIds.length)]
        const body = { account_id: accountId, units: '100000000', payment_provider: 'bank_transfer' }
        return httpRequest('POST', `/offerings/${offeringId}/orders`, { token, body, isKeyed })
      }),
    )
    const insert = (seconds: number) => runHttpLoad({ port: bench.port, seconds, requestsOf, expectedStatus: 201 })
    say(`Inserting orders ${isKeyed ? 'with' : 'without'} a key …`)
    await insert(2)
    const { latencies, seconds } = await insert(Number(flags['insert-seconds']))
    rows.push([isKeyed ? 'with a key' : 'without a key', (latencies.length / seconds).toFixed(0), ...both(latencies)])
  }
  say(`\nInserts into that offering with ${insertClients} clients:\n`)
  printTable(['insert', 'per second', 'p50 ms', 'p99 ms'], rows)
}

/** Fails if a position is missing or assigned twice. */
async function assertDense({ tenantId, offeringId }: OrderBook): Promise<void> {
  const { rows } = await bench.installation.owner((owner) =>
    owner.query<{ counted: string; highest: string; recent: string }>(
      `select offering.order_count as counted, max(offering_position) + 1 as highest,
              count(*) filter (where offering_position >= $3) as recent
       from cell.offering join cell.token_order
         on token_order.tenant_id = offering.tenant_id and token_order.offering_id = offering.id
       where offering.tenant_id = $1 and offering.id = $2 group by offering.order_count`,
      [tenantId, offeringId, orders],
    ),
  )
  const [{ counted, highest, recent } = { counted: '', highest: '', recent: '' }] = rows
  if (counted !== highest || Number(recent) !== Number(counted) - orders)
    throw new Error(`the offering counts ${counted} orders, the highest is ${highest}, ${recent} are new`)
  say(`\nThe positions of all ${counted} orders are dense.`)
}

function report(depths: readonly Depth[]): void {
  say(`\nA page of ${pageLimit}, one client, ${rounds} rounds of ${flags.seconds} s at each offset:\n`)
  const rows = depths.map(({ direction, offset, latencies }) => [String(offset), direction, ...both(latencies)])
  printTable(['offset', 'direction', 'p50 ms', 'p99 ms'], rows)
  // Compares each depth with the first page of its direction: the cost of depth alone.
  const medianAt = ({ latencies }: Depth) => percentile(latencies, 0.5)
  const ratios = depths.flatMap((depth) =>
    depths
      .filter(({ offset, direction }) => offset === 0 && direction === depth.direction)
      .map((first) => medianAt(depth) / medianAt(first)),
  )
  const groups = (['desc', 'asc'] as const).map((wanted) => ({
    title: `p50 of a page of ${pageLimit} at each offset, ${wanted === 'desc' ? 'newest' : 'oldest'} first, µs`,
    bars: depths
      .filter(({ direction }) => direction === wanted)
      .map((depth) => ({ name: depth.offset.toLocaleString('en'), value: medianAt(depth) * 1_000 })),
  }))
  writeFileSync(flags.picture, barChart(groups))
  say(`\ndeep page ratio: ${Math.max(...ratios).toFixed(2)}`)
}

function both(latencies: readonly number[]): string[] {
  return [percentile(latencies, 0.5).toFixed(2), percentile(latencies, 0.99).toFixed(2)]
}
