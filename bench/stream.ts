// Measures the stream of events: the time from recording an event to its receipt by every listener, whether each
// listener gets each event once and in order although connections are cut, and what the listeners cost other callers of
// the same process. Events of all tenants are written and numbered as in production, by one worker.
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Placement } from '../service/src/platform/db/placement.ts'
import { inTenantTransaction } from '../service/src/platform/db/tenant-transaction.ts'
import { recordEvents } from '../service/src/records/events/event.sql.ts'
import { StreamFollower } from '../service/test/harness/callers/stream-reader.ts'
import { type ApiProcess, TestInstallation } from '../service/test/harness/installation/test-installation.ts'
import { until } from '../service/test/harness/wait.ts'
import { nanosecondsOf } from './cpu-time.ts'
import { percentile } from './percentile.ts'

const { values: flags } = parseArgs({
  options: {
    tenants: { type: 'string', default: '20' },
    listeners: { type: 'string', default: '10' },
    rate: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '30' },
    cuts: { type: 'string', default: '20' },
    requests: { type: 'string', default: '100' },
  },
})
const [tenantCount, listenersPerTenant, rate] = [Number(flags.tenants), Number(flags.listeners), Number(flags.rate)]
const [seconds, cuts, requestsPerSecond] = [Number(flags.seconds), Number(flags.cuts), Number(flags.requests)]
const batchesPerSecond = 10
const print = (line: string) => void process.stdout.write(`${line}\n`)

interface Tenant {
  id: string
  token: string
  followers: StreamFollower[]
  recorded: number
}

const installation = await TestInstallation.create({ DATABASE_POOL_MAX: '20' })
try {
  const api = await installation.startOperatorApiProcess({ STREAMS_MAX: String(tenantCount * listenersPerTenant) })
  await installation.startWorkerProcess()
  const tenants: Tenant[] = []
  for (let index = 0; index < tenantCount; index += 1) {
    const id = await installation.createTenant(`T${index}`)
    tenants.push({ id, token: (await installation.createOperator(id)).token, followers: [], recorded: 0 })
  }
  const phaseSeconds = seconds / 2
  await cpuOf(api, () => request(api, tenants, phaseSeconds))
  const alone = await cpuOf(api, () => request(api, tenants, phaseSeconds))

  print(`Connecting ${tenantCount * listenersPerTenant} listeners …`)
  for (const tenant of tenants)
    for (let index = 0; index < listenersPerTenant; index += 1)
      tenant.followers.push(new StreamFollower(api.baseUrl, (await installation.createOperator(tenant.id)).token))
  const followers = tenants.flatMap((tenant) => tenant.followers)
  await until('all listeners are connected', () => followers.every(({ isConnected }) => isConnected), 120_000)

  print(`${rate} events/s in each of ${tenantCount} tenants for ${seconds} s, ${cuts} cut connections …`)
  const writing = write(tenants)
  const cutting = cut(followers)
  const streaming = await cpuOf(api, () => sleep(phaseSeconds * 1_000))
  const both = await cpuOf(api, () => request(api, tenants, phaseSeconds))
  await Promise.all([writing, cutting])
  const isComplete = (tenant: Tenant) =>
    tenant.followers.every(({ received }) => received.at(-1)?.id === tenant.recorded)
  await until('every listener has every event', () => tenants.every(isComplete), 60_000).catch(() => undefined)
  report(tenants, { alone, streaming, both })
  await Promise.all(followers.map((follower) => follower.stop()))
} finally {
  await installation.end()
}

async function write(tenants: readonly Tenant[]): Promise<void> {
  const databases = { databases: installation.databases, placement: new Placement(installation.databases) }
  const startedAt = performance.now()
  for (let batch = 0; batch < seconds * batchesPerSecond; batch += 1) {
    await Promise.all(
      tenants.map(async (tenant) => {
        const data = { recorded_at: performance.now() }
        const events = Array.from({ length: rate / batchesPerSecond }, () => ({ type: 'order.paid', data }) as const)
        await inTenantTransaction(databases, { tenantId: tenant.id, access: 'write' }, (tx) =>
          recordEvents(tx, tenant.id, events),
        )
        tenant.recorded += events.length
      }),
    )
    await sleep(Math.max(0, startedAt + ((batch + 1) * 1_000) / batchesPerSecond - performance.now()))
  }
}

async function cut(followers: readonly StreamFollower[]): Promise<void> {
  for (let count = 0; count < cuts; count += 1) {
    await sleep((seconds * 1_000) / (cuts + 1))
    followers[Math.floor(Math.random() * followers.length)]?.cut()
  }
}

/** What other callers of the same process do meanwhile. */
async function request(api: ApiProcess, tenants: readonly Tenant[], forSeconds: number): Promise<number> {
  const startedAt = performance.now()
  const count = requestsPerSecond * forSeconds
  for (let sent = 0; sent < count; sent += 1) {
    const { token } = tenants[sent % tenants.length] as Tenant
    const { status } = await api.call('GET', '/offerings', { token })
    if (status !== 200) throw new Error(`GET /offerings returned ${status}`)
    await sleep(Math.max(0, startedAt + ((sent + 1) * 1_000) / requestsPerSecond - performance.now()))
  }
  return count
}

/** The CPU time of the process per second, and the requests that it served. */
async function cpuOf(api: ApiProcess, work: () => Promise<number | undefined>) {
  const [startedAt, before] = [performance.now(), nanosecondsOf(api.process.pid)]
  const requests = (await work()) ?? 0
  const elapsed = (performance.now() - startedAt) / 1_000
  return { requests, elapsed, microseconds: (nanosecondsOf(api.process.pid) - before) / 1_000 }
}

type Measured = Awaited<ReturnType<typeof cpuOf>>

function report(tenants: readonly Tenant[], cpu: Record<'alone' | 'streaming' | 'both', Measured>): void {
  const latencies: number[] = []
  let [lost, wrong] = [0, 0]
  for (const { followers, recorded } of tenants)
    for (const { received } of followers) {
      lost += Math.max(0, recorded - received.length)
      wrong += received.filter(({ id }, index) => id !== index + 1).length
      latencies.push(...received.map(({ receivedAt, data }) => receivedAt - data.data.recorded_at))
    }
  const { alone, streaming, both } = cpu
  const perRequestAlone = alone.microseconds / alone.requests
  const ofStreams = (streaming.microseconds / streaming.elapsed) * both.elapsed
  const perRequest = (both.microseconds - ofStreams) / both.requests
  print(`a request takes ${perRequestAlone.toFixed(0)} µs of CPU alone, ${perRequest.toFixed(0)} µs beside the streams`)
  print(`the streams take ${(streaming.microseconds / streaming.elapsed / 10_000).toFixed(0)} % of a core`)
  print(
    `stream: ${latencies.length} messages, p50 ${percentile(latencies, 0.5).toFixed(0)} ms, ` +
      `p99 ${percentile(latencies, 0.99).toFixed(0)} ms, ${lost} lost, ${wrong} out of order, ` +
      `CPU per request of others × ${(perRequest / perRequestAlone).toFixed(2)}`,
  )
}
