// Serves the same page and order from the same database with the peers that people would choose instead of our API, in
// turn in one run. The peers check a signed token and use row-level security; they have none of our other checks. `npm
// run bench -- peers` installs them in bench/peers, apart from the project.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { endChild, freePort } from '../service/test/harness/installation/process.ts'
import { until } from '../service/test/harness/wait.ts'
import { barChart } from './bar-chart.ts'
import { cpuPerRequest, cpuTimeWithEnded } from './cpu-time.ts'
import { httpRequest, type Requests, runHttpLoad } from './http-load.ts'
import { BenchInstallation } from './installation.ts'
import { loadOrderBook, type OrderBook, orderIdAt } from './orders.ts'
import { orderQuery, pageQuery } from './peer-queries.ts'
import { median, percentile } from './percentile.ts'
import { printTable, say } from './print.ts'

execFileSync('npm', ['ci', '--prefix', 'bench/peers', '--no-audit', '--no-fund', '--silent'], { stdio: 'inherit' })
const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '6' },
    orders: { type: 'string', default: '100000' },
    connections: { type: 'string', default: '16' },
    picture: { type: 'string', default: 'docs/peers.svg' },
  },
})
const connections = Number(flags.connections)
const pageLimit = 50
/** Limited because people look at the first pages, and a peer that skips rows is not slow there. */
const offsetMax = 9 * pageLimit
const operations = ['page', 'order'] as const
type OperationName = (typeof operations)[number]

interface Peer {
  readonly name: string
  readonly pid: number
  readonly port: number
  readonly requestsOf: Record<OperationName, readonly Requests[]>
  /** Returns the ids of the orders in a response. */
  readonly idsIn: Record<OperationName, (body: never) => string[]>
}

interface Round {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly server: number
  readonly postgres: number
}

const restIds: Peer['idsIn'] = {
  page: (body: { results: { id: string }[] }) => body.results.map(({ id }) => id),
  order: (body: { id: string }) => [body.id],
}

const secret = crypto.randomUUID() + crypto.randomUUID()
const bench = await BenchInstallation.open({ connections })
const children: ChildProcess[] = []
try {
  say(`Loading ${flags.orders} orders …`)
  const book = await loadOrderBook(bench.installation, { accounts: 10_000, orders: Number(flags.orders) })
  await bench.startApi()
  const token = jsonWebToken({ tenantId: book.tenantId })
  const peers = [await ours(book), await fastifyDrizzle(book, token), await postGraphile(book, token)]
  const measured = new Map<string, Round[]>()
  for (const operation of operations) {
    await requireResults(operation, peers)
    for (const peer of peers) await load(peer, operation, { seconds: 600, requests: 20_000 })
    for (let round = 0; round < Number(flags.rounds); round += 1)
      for (const peer of peers.toSorted(() => Math.random() - 0.5)) {
        const key = `${operation} ${peer.name}`
        measured.set(key, [...(measured.get(key) ?? []), await measure(peer, operation)])
      }
  }
  report(peers, measured)
} finally {
  for (const child of children) await endChild(child, 'SIGKILL')
  await bench.close()
}

async function ours({ tenantId, offeringId, orders }: OrderBook): Promise<Peer> {
  const tokens = await bench.tokens(tenantId, connections)
  const path = `/offerings/${offeringId}/orders`
  const get = (token: string, rest: string) => httpRequest('GET', `${path}${rest}`, { token })
  return {
    name: 'ours',
    pid: bench.processes.api,
    port: bench.port,
    requestsOf: {
      page: requestsOf(tokens, (token, offset) => get(token, `?limit=${pageLimit}&offset=${offset}`)),
      order: requestsOf(tokens, (token) => get(token, `/${orderIdAt(randomUpTo(orders - 1))}`)),
    },
    idsIn: restIds,
  }
}

async function fastifyDrizzle({ offeringId, orders }: OrderBook, token: string): Promise<Peer> {
  const path = `/offerings/${offeringId}/orders`
  const get = (rest: string) => httpRequest('GET', `${path}${rest}`, { token, prefix: '' })
  const tokens = Array.from({ length: connections }, () => token)
  return {
    name: 'Fastify + Drizzle',
    ...(await startPeer('fastify-drizzle')),
    requestsOf: {
      page: requestsOf(tokens, (_, offset) => get(`?limit=${pageLimit}&offset=${offset}`)),
      order: requestsOf(tokens, () => get(`/${orderIdAt(randomUpTo(orders - 1))}`)),
    },
    idsIn: restIds,
  }
}

async function postGraphile({ tenantId, offeringId, orders }: OrderBook, token: string): Promise<Peer> {
  const post = (query: string, variables: object) =>
    httpRequest('POST', '/graphql', { token, prefix: '', body: { query, variables: { tenantId, ...variables } } })
  const tokens = Array.from({ length: connections }, () => token)
  return {
    name: 'PostGraphile',
    ...(await startPeer('postgraphile')),
    requestsOf: {
      page: requestsOf(tokens, (_, offset) => post(pageQuery, { offeringId, offset, limit: pageLimit })),
      order: requestsOf(tokens, () => post(orderQuery, { id: orderIdAt(randomUpTo(orders - 1)) })),
    },
    idsIn: {
      page: (body: { data: { allTokenOrders: { nodes: { id: string }[] } } }) =>
        body.data.allTokenOrders.nodes.map(({ id }) => id),
      order: (body: { data: { tokenOrderByTenantIdAndRowId: { id: string } } }) => [
        body.data.tokenOrderByTenantIdAndRowId.id,
      ],
    },
  }
}

async function startPeer(file: string): Promise<{ pid: number; port: number }> {
  const port = await freePort()
  const { config, databases } = bench.installation
  const child = spawn(process.execPath, [fileURLToPath(new URL(`./peers/${file}.js`, import.meta.url))], {
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_ENV: 'production',
      DATABASE_URL: config.databaseUrl,
      PGOPTIONS: databases.directory.options.options ?? '',
      PORT: String(port),
      SECRET: secret,
      CONNECTIONS: String(connections),
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  children.push(child)
  const answers = () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    )
  await until(`${file} answers`, answers, 120_000)
  return { pid: child.pid ?? 0, port }
}

/** Requires that each peer returns a full page, or the order, before it is measured. */
async function requireResults(operation: OperationName, peers: readonly Peer[]): Promise<void> {
  for (const peer of peers) {
    const [request = ''] = peer.requestsOf[operation][0] ?? []
    const [head = '', body] = request.split('\r\n\r\n')
    const [line = '', ...headers] = head.split('\r\n')
    const [method = '', path = ''] = line.split(' ')
    const response = await fetch(`http://127.0.0.1:${peer.port}${path}`, {
      method,
      headers: headers.map((header) => header.split(': ') as [string, string]).filter(([name]) => name !== 'host'),
      ...(body && { body }),
    })
    const text = await response.text()
    const ids = response.ok ? peer.idsIn[operation](JSON.parse(text) as never) : []
    const expected = operation === 'page' ? pageLimit : 1
    if (ids.length !== expected || new Set(ids).size !== expected)
      throw new Error(`${peer.name} returned ${response.status} for ${path}: ${text.slice(0, 500)}`)
    say(`${peer.name}, ${operation}: ${text.length} bytes`)
  }
}

function load({ port, requestsOf: requests }: Peer, operation: OperationName, length: object) {
  const plan = { port, seconds: Number(flags.seconds), requestsOf: requests[operation], expectedStatus: 200 }
  return runHttpLoad({ ...plan, ...length })
}

async function measure(peer: Peer, operation: OperationName): Promise<Round> {
  const processes = { ...bench.processes, api: peer.pid }
  const before = cpuTimeWithEnded(processes)
  const { latencies, seconds } = await load(peer, operation, {})
  const { api, postgres } = cpuPerRequest(before, cpuTimeWithEnded(processes), latencies.length)
  return {
    perSecond: latencies.length / seconds,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    server: api,
    postgres,
  }
}

function report(peers: readonly Peer[], measured: ReadonlyMap<string, readonly Round[]>): void {
  const of = (operation: string, name: string, key: keyof Round) =>
    median((measured.get(`${operation} ${name}`) ?? []).map((round) => round[key]))
  printTable(
    ['request', 'server', 'requests/s', 'p50 ms', 'p99 ms', 'server µs', 'PostgreSQL µs'],
    operations.flatMap((operation) =>
      peers.map(({ name }) => [
        operation,
        name,
        of(operation, name, 'perSecond').toFixed(0),
        ...(['p50', 'p99'] as const).map((key) => of(operation, name, key).toFixed(1)),
        ...(['server', 'postgres'] as const).map((key) => of(operation, name, key).toFixed(0)),
      ]),
    ),
  )
  const groups = operations.map((operation) => ({
    title: `${operation}, requests a second`,
    bars: peers.map(({ name }) => ({ name, value: of(operation, name, 'perSecond') })),
  }))
  writeFileSync(flags.picture, barChart(groups))
  const line = operations.map((operation) => {
    const rivals = peers.slice(1).map(({ name }) => of(operation, name, 'perSecond'))
    return `${operation} ${(of(operation, 'ours', 'perSecond') / Math.max(...rivals)).toFixed(2)}`
  })
  say(`peers: ${line.join(', ')} times the throughput of the best peer; picture in ${flags.picture}`)
}

/** Signs the token that the peers verify. */
function jsonWebToken(claims: object): string {
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const exp = Math.floor(Date.now() / 1000) + 7_200
  const signed = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded({ ...claims, exp })}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

function requestsOf(tokens: readonly string[], request: (token: string, offset: number) => string): Requests[] {
  return tokens.map((token) => Array.from({ length: 200 }, () => request(token, randomUpTo(offsetMax))))
}

function randomUpTo(max: number): number {
  return Math.floor(Math.random() * (max + 1))
}
