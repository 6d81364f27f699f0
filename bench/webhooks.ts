// Measures the time from the commit of an event to its receipt while some receivers hang. One worker; each event goes
// to exactly one endpoint, so the number of events equals the number of messages.

import { setTimeout as sleep } from 'node:timers/promises'
import { type EventType, eventTypes } from '../service/src/records/events/event-types.ts'
import { WebhookWorld } from '../service/test/harness/data/webhook-world.ts'
import { TestInstallation } from '../service/test/harness/installation/test-installation.ts'
import { WebhookReceiver } from '../service/test/harness/servers/webhook-receiver.ts'
import { until } from '../service/test/harness/wait.ts'
import { numberOptions } from './number-options.ts'
import { percentile } from './percentile.ts'
import { say } from './print.ts'

const { tenants, endpoints, hanging, rate, seconds, burst } = numberOptions({
  tenants: 50,
  endpoints: 1_000,
  hanging: 100,
  rate: 100,
  seconds: 60,
  burst: 5_000,
})
const endpointsPerTenant = endpoints / tenants
const types = (Object.keys(eventTypes) as EventType[]).filter((type) => !type.startsWith('credential.'))

interface Target {
  world: WebhookWorld
  type: EventType
  hangs: boolean
}

const installation = await TestInstallation.create()
const receiver = await WebhookReceiver.open()
try {
  say(`Creating ${endpoints} endpoints in ${tenants} tenants, each for one event type, so each event is one message.`)
  const targets = await makeTargets()
  await installation.startWorkerProcess()
  const healthy = targets.filter(({ hangs }) => !hangs)
  for (const { world, type } of healthy.slice(0, 20)) await world.recordEvent(type)
  await until('the worker delivers', () => receiver.messages.length >= 20)
  receiver.messages.length = 0

  say(`${rate} events/s for ${seconds} s, one in ${endpoints / hanging} for a receiver that never responds …`)
  const committed = new Map<string, number>()
  const startedAt = performance.now()
  const writing: Promise<void>[] = []
  for (let sent = 0; sent < rate * seconds; sent += 1) {
    const target = targets[Math.floor(Math.random() * targets.length)] as Target
    writing.push(
      target.world.recordEvent(target.type).then((id) => {
        if (!target.hangs) committed.set(id, performance.now())
      }),
    )
    await sleep(Math.max(0, startedAt + ((sent + 1) * 1000) / rate - performance.now()))
  }
  await Promise.all(writing)
  const took = (performance.now() - startedAt) / 1000
  const arrived = () => new Map(receiver.messages.map(({ id, at }) => [id, at]))
  await until(
    'all messages have arrived',
    () => {
      const seen = arrived()
      return [...committed.keys()].every((id) => seen.has(id))
    },
    60_000,
  )
  const first = new Map(receiver.messages.toReversed().map(({ id, at }) => [id, at]))
  const delays = [...committed].map(([id, at]) => Math.max(0, (first.get(id) ?? Number.NaN) - at))
  const attempts = receiver.messages.filter(({ path }) => path.startsWith('/hangs/')).length
  say(
    `${committed.size} messages to healthy endpoints in ${took.toFixed(0)} s (${(rate * seconds) / took} events/s), all ` +
      `arrived; ${attempts} attempts to those that hang. Slowest: ${Math.max(...delays).toFixed(0)} ms.`,
  )
  say(`fan-out: ${await measureBurst(healthy)} deliveries/s for a burst of ${burst} events`)
  const [p50, p99] = [percentile(delays, 0.5).toFixed(0), percentile(delays, 0.99).toFixed(0)]
  say(
    `webhooks: p50 ${p50} ms, p99 ${p99} ms of healthy endpoints at ${rate} events/s, ${hanging} of ${endpoints} hang`,
  )
} finally {
  await installation.end()
  await receiver.close()
}

async function makeTargets(): Promise<Target[]> {
  const made: Target[] = []
  for (let tenant = 0; tenant < tenants; tenant += 1) {
    const world = await WebhookWorld.create(installation, `T${tenant}`)
    for (let index = 0; index < endpointsPerTenant; index += 1) {
      const type = types[index] as EventType
      const hangs = made.length % (endpoints / hanging) === 0
      const path = `/${hangs ? 'hangs' : 'responds'}/${made.length}`
      if (hangs) receiver.respond(path, () => {})
      await world.endpoint(receiver.url + path, [type])
      made.push({ world, type, hangs })
    }
  }
  return made
}

/** Measures the throughput of one worker with a backlog. */
async function measureBurst(healthy: readonly Target[]): Promise<number> {
  receiver.messages.length = 0
  const writers = Array.from({ length: 16 }, async (_, writer) => {
    for (let sent = writer; sent < burst; sent += 16) {
      const { world, type } = healthy[sent % healthy.length] as Target
      await world.recordEvent(type)
    }
  })
  const startedAt = performance.now()
  await Promise.all(writers)
  const isHealthy = ({ path }: { path: string }) => !path.startsWith('/hangs/')
  await until('the burst has arrived', () => receiver.messages.filter(isHealthy).length >= burst, 120_000)
  return Math.round((burst * 1000) / (performance.now() - startedAt))
}
