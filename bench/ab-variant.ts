// One variant of an A/B run: a database, a Redis and an API of one checkout, and the load for it. The parent decides
// when a batch runs, so that the variants never run at the same time. The checkout brings its own benchmarks, which
// create its schema and know its operations; only the exports used here must be the same.
import { existsSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { type CpuTime, cpuPerRequest, cpuTime } from './cpu-time.ts'
import { type Requests, uniqueValue } from './http-load.ts'
import type { BenchInstallation } from './installation.ts'
import type { OrderBook } from './orders.ts'
import { readResponses } from './read-responses.ts'
import type { Workload } from './workloads.ts'

export type Operation = 'page' | 'create' | 'order' | 'reserve'

/** Commands of the parent. The variant replies to each with one message. */
export type VariantCommand =
  | {
      kind: 'open'
      checkout: string
      settings: Record<string, string>
      /** Files that the API loads first. */
      preload: readonly string[]
      connections: number
      orders: number
    }
  | { kind: 'restart' }
  | { kind: 'prepare'; operation: Operation }
  | { kind: 'batch'; requests: number }
  | { kind: 'close' }

export type VariantReply = { problem: string } | { cpu?: CpuTime }

interface Opened {
  readonly bench: BenchInstallation
  readonly book: OrderBook
  readonly connections: number
  readonly preload: readonly string[]
  readonly workloads: Record<`${'page' | 'createAccount' | 'singleOrder' | 'reserve'}Workload`, Maker>
}

type Maker = (bench: BenchInstallation, book: OrderBook, connections: number) => Promise<Workload>

const makers = {
  page: 'pageWorkload',
  create: 'createAccountWorkload',
  order: 'singleOrderWorkload',
  reserve: 'reserveWorkload',
} as const

let opened: Opened | undefined
let clients: Client[] = []

process.on('message', (command: VariantCommand) => {
  run(command).then(
    (cpu) => process.send?.(cpu ? { cpu } : {}),
    (error: Error) => process.send?.({ problem: error.stack ?? error.message }),
  )
})

async function run(command: VariantCommand): Promise<CpuTime | undefined> {
  if (command.kind === 'open') opened = await open(command)
  else if (command.kind === 'restart') await restart(required())
  else if (command.kind === 'prepare') clients = await prepare(required(), command.operation)
  else if (command.kind === 'batch') return batch(required(), command.requests)
  else {
    for (const client of clients) client.close()
    await opened?.bench.close()
  }
  return undefined
}

function required(): Opened {
  if (!opened) throw new Error('the variant is not open')
  return opened
}

async function open(command: VariantCommand & { kind: 'open' }): Promise<Opened> {
  const { checkout, settings, preload, connections, orders } = command
  const load = (file: string) => import(pathToFileURL(`${checkout}/bench/${file}`).href)
  const [installation, book, workloads] = await Promise.all([
    load('installation.ts') as Promise<typeof import('./installation.ts')>,
    load('orders.ts') as Promise<typeof import('./orders.ts')>,
    load('workloads.ts') as Promise<typeof import('./workloads.ts')>,
  ])
  const bench = await installation.BenchInstallation.open({ connections })
  Object.assign(bench.installation.settings, settings)
  const loaded = await book.loadOrderBook(bench.installation, { accounts: Math.ceil(orders / 10), orders })
  await bench.startApi({ preload })
  return { bench, book: loaded, connections, preload, workloads }
}

/** Starts a new API process, because the compiler and the garbage collector settle differently in each. */
async function restart({ bench, preload }: Opened): Promise<void> {
  for (const client of clients) client.close()
  clients = []
  const { api } = bench.processes
  process.kill(api, 'SIGTERM')
  while (existsSync(`/proc/${api}/fd/0`)) await sleep(50)
  await bench.startApi({ preload })
}

async function prepare({ bench, book, connections, workloads }: Opened, operation: Operation): Promise<Client[]> {
  for (const client of clients) client.close()
  const workload = await workloads[makers[operation]](bench, book, connections)
  return workload.requestsOf.map((requests, index) => new Client(bench.port, requests, index, workload.expectedStatus))
}

async function batch({ bench }: Opened, requests: number): Promise<CpuTime> {
  const each = Math.ceil(requests / clients.length)
  const before = cpuTime(bench.processes)
  await Promise.all(clients.map((client) => client.send(each)))
  return cpuPerRequest(before, cpuTime(bench.processes), each * clients.length)
}

/** One connection with one request in flight at a time. */
class Client {
  readonly #socket: Socket
  readonly #parts: readonly string[][]
  readonly #prefix: string
  #sent = 0
  #left = 0
  #batch = Promise.withResolvers<void>()

  constructor(port: number, requests: Requests, connection: number, expectedStatus: number) {
    this.#parts = requests.map((request) => request.split(uniqueValue))
    this.#prefix = `${process.pid}-${Date.now()}-${connection}`
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const fail = (error: Error) => this.#batch.reject(error)
    this.#socket.once('error', fail)
    this.#socket.once('close', () => fail(new Error('the API closed a connection')))
    readResponses(this.#socket, (status, text) => {
      if (status !== expectedStatus) return fail(new Error(`expected ${expectedStatus}, got ${status}: ${text()}`))
      this.#left -= 1
      if (this.#left > 0) this.#sendNext()
      else this.#batch.resolve()
    })
  }

  send(requests: number): Promise<void> {
    this.#batch = Promise.withResolvers<void>()
    this.#left = requests
    this.#sendNext()
    return this.#batch.promise
  }

  close(): void {
    this.#socket.removeAllListeners('close')
    this.#socket.destroy()
  }

  #sendNext(): void {
    const [before = '', after] = this.#parts[this.#sent % this.#parts.length] ?? []
    this.#sent += 1
    this.#socket.write(after === undefined ? before : `${before}${this.#prefix}-${this.#sent}${after}`)
  }
}
