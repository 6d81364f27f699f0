// How long it takes from the commit of an event to its receipt, while some of the receivers hang: one worker, and events
// that each go to one endpoint, so that events and messages are as many.
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type EventType, eventTypes } from '../service/src/records/events/event-types.ts'
import { TestInstallation } from '../service/test/harness/service.ts'
import { until } from '../service/test/harness/wait.ts'
import { WebhookReceiver } from '../service/test/harness/webhook-receiver.ts'
import { WebhookWorld } from '../service/test/harness/webhook-world.ts'
import { percentile } from './percentile.ts'

const { values: flags } = parseArgs({
  options: {
    tenants: { type: 'string', default: '50' },
    endpoints: { type: 'string', default: '1000' },
    hanging: { type: 'string', default: '100' },
    rate: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '60' },
    burst: { type: 'string', default: '5000' },
  },
})
const [tenants, endpoints, hanging] = [Number(flags.tenants), Number(flags.endpoints), Number(flags.hanging)]
const [rate, seconds, burst] = [Number(flags.rate), Number(flags.seconds), Number(flags.burst)]
const ofTenant = endpoints / tenants
const types = (Object.keys(eventTypes) as EventType[]).filter((type) => !type.startsWith('credential.'))
const say = (line: string) => void process.stdout.write(`${line}\n`)

interface Target {
  world: WebhookWorld
  type: EventType
  hangs: boolean
}

const installation = await TestInstallation.create()
const receiver = await WebhookReceiver.open()
try {
  say(
    `Making ${endpoints} endpoints in ${tenants} tenants; each wants one type of event, so each event is one message.`,
  )
  const targets = await makeTargets()
  await installation.startWorker()
  const healthy = targets.filter(({ hangs }) => !hangs)
  for (const { world, type } of healthy.slice(0, 20)) await world.happen(type)
  await until('it runs', () => receiver.messages.length >= 20)
  receiver.messages.length = 0

  say(
    `${rate} events/s for ${seconds} s, of which one in ${endpoints / hanging} goes to a receiver that never answers …`,
  )
  const committed = new Map<string, number>()
  const startedAt = performance.now()
  const writing: Promise<void>[] = []
  for (let sent = 0; sent < rate * seconds; sent += 1) {
    const target = targets[Math.floor(Math.random() * targets.length)] as Target
    writing.push(
      target.world.happen(target.type).then((id) => {
        if (!target.hangs) committed.set(id, performance.now())
      }),
    )
    await sleep(Math.max(0, startedAt + ((sent + 1) * 1000) / rate - performance.now()))
  }
  await Promise.all(writing)
  const took = (performance.now() - startedAt) / 1000
  const arrived = () => new Map(receiver.messages.map(({ id, at }) => [id, at]))
  await until(
    'all have arrived',
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
      `arrived; ${attempts} attempts at those that hang. Slowest: ${Math.max(...delays).toFixed(0)} ms.`,
  )
  say(`fan-out: ${await measureBurst(healthy)} deliveries/s when ${burst} events are there at once`)
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
    for (let place = 0; place < ofTenant; place += 1) {
      const type = types[place] as EventType
      const hangs = made.length % (endpoints / hanging) === 0
      const path = `/${hangs ? 'hangs' : 'answers'}/${made.length}`
      if (hangs) receiver.answer(path, () => {})
      await world.endpoint(receiver.url + path, [type])
      made.push({ world, type, hangs })
    }
  }
  return made
}

/** What one worker can do when there is more than it can do at once. */
async function measureBurst(healthy: readonly Target[]): Promise<number> {
  receiver.messages.length = 0
  const lanes = Array.from({ length: 16 }, async (_, lane) => {
    for (let sent = lane; sent < burst; sent += 16) {
      const { world, type } = healthy[sent % healthy.length] as Target
      await world.happen(type)
    }
  })
  const startedAt = performance.now()
  await Promise.all(lanes)
  const isHealthy = ({ path }: { path: string }) => !path.startsWith('/hangs/')
  await until('the burst has arrived', () => receiver.messages.filter(isHealthy).length >= burst, 120_000)
  return Math.round((burst * 1000) / (performance.now() - startedAt))
}
