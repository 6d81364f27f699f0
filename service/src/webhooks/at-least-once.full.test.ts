import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type TestEndpoint, WebhookWorld } from '../../test/harness/data/webhook-world.ts'
import type { RunningProcess } from '../../test/harness/installation/process.ts'
import { TestInstallation } from '../../test/harness/installation/test-installation.ts'
import { pluck } from '../../test/harness/pluck.ts'
import { isSignedWith, type ReceivedMessage, WebhookReceiver } from '../../test/harness/servers/webhook-receiver.ts'
import { testSize } from '../../test/harness/test-size.ts'
import { until } from '../../test/harness/wait.ts'
import type { EventType } from '../records/events/event-types.ts'

const { kills, eventsMax } = testSize({
  short: { kills: 8, eventsMax: 600 },
  long: { kills: 50, eventsMax: 6_000 },
})
const writerCount = 6
/** Starting a worker takes longer than delivering, so the next one starts while others work. */
const startingAhead = 1
/** A worker frees the jobs of a dead one after two checks, a second apart, so at least one must live that long. */
const aliveMax = 2
const rejectionEveryMs = 15_000
const types: EventType[] = ['order.created', 'order.paid', 'order.minted', 'wallet.activated']
/** Each tenant has one endpoint for all event types and two for some of them. */
const filters: (EventType[] | undefined)[] = [undefined, ['order.paid'], ['order.minted', 'wallet.activated']]

interface FilteredEndpoint extends TestEndpoint {
  world: WebhookWorld
  path: string
  filter: EventType[] | undefined
}

describe('webhooks', async () => {
  const installation = await TestInstallation.create({ DATABASE_POOL_MAX: '12' })
  const receiver = await WebhookReceiver.open()
  // The first worker stops gracefully and so writes the compile cache, which halves the start of the workers to kill.
  const compileCache = await mkdtemp(join(tmpdir(), 'investor-token-'))
  const startWorker = () => installation.startWorkerProcess({ NODE_COMPILE_CACHE: compileCache })
  await (await startWorker()).stop()
  after(() => installation.end())
  after(() => receiver.close())
  after(() => rm(compileCache, { recursive: true }))

  const count = async (query: string): Promise<number> => {
    const rows = await installation.rows<{ count: number }>(query)
    return rows[0]?.count ?? 0
  }

  /**
   * Accepts messages, but rejects one in thirty at its first attempt, so that it has to be retried. Never two within
   * 15 s: the backoff of the endpoint would then exceed the time of this test.
   */
  function acceptMost(path: string, accepted: Set<ReceivedMessage>): void {
    let rejectedAt = Number.NEGATIVE_INFINITY
    receiver.respond(path, (message, response) => {
      const isFirst = receiver.at(path).filter(({ id }) => id === message.id).length === 1
      const isRejected = isFirst && performance.now() - rejectedAt > rejectionEveryMs && Math.random() < 1 / 30
      if (isRejected) rejectedAt = performance.now()
      else accepted.add(message)
      response.writeHead(isRejected ? 503 : 200).end()
    })
  }

  /** Starts workers and kills a random one of those alive, again and again. */
  async function killWorkers(): Promise<void> {
    const starting: Promise<RunningProcess>[] = []
    const alive: RunningProcess[] = []
    for (let killed = 0; killed < kills; ) {
      while (starting.length < startingAhead) starting.push(startWorker())
      alive.push((await starting.shift()) as RunningProcess)
      await sleep(Math.random() * 100)
      if (alive.length < aliveMax) continue
      await alive.splice(Math.floor(Math.random() * alive.length), 1)[0]?.kill()
      killed += 1
    }
    await Promise.all([...alive, ...(await Promise.all(starting))].map((worker) => worker.kill()))
  }

  async function assertDelivered(
    { world, path, filter, secret }: FilteredEndpoint,
    accepted: ReadonlySet<ReceivedMessage>,
    rolledBack: ReadonlySet<string>,
  ): Promise<void> {
    const expected = await installation.rows<{ id: string }>(
      'select id from cell.event where tenant_id = $1 and ($2::text[] is null or type = any($2)) order by id',
      [world.tenantId, filter ?? null],
    )
    const received = receiver.at(path)
    assert.ok(expected.length > kills, `${expected.length} events`)
    assert.deepEqual(
      [...new Set(received.filter((message) => accepted.has(message)).map(({ id }) => id))].toSorted(),
      pluck(expected, 'id'),
    )
    for (const message of received) {
      assert.ok(isSignedWith(secret, message), 'the signature is valid')
      assert.equal(message.body.id, message.id)
      assert.ok(!rolledBack.has(message.id), 'no event of a rolled back transaction is sent')
    }
    const bodies = new Map(received.map(({ id, text }) => [id, text]))
    for (const { id, text } of received) assert.equal(text, bodies.get(id), 'every attempt sends the same body')
  }

  test(`every committed event reaches every subscribed endpoint although ${kills} workers are killed`, async () => {
    const worlds = [await WebhookWorld.create(installation, 'A'), await WebhookWorld.create(installation, 'B')]
    const endpoints: FilteredEndpoint[] = []
    const accepted = new Set<ReceivedMessage>()
    for (const world of worlds)
      for (const filter of filters) {
        const path = `/${crypto.randomUUID()}`
        acceptMost(path, accepted)
        endpoints.push({ world, path, filter, ...(await world.endpoint(receiver.url + path, filter)) })
      }

    let isOver = false
    let recorded = 0
    const rolledBack = new Set<string>()
    const writers = Array.from({ length: writerCount }, async () => {
      while (!isOver && recorded < eventsMax) {
        recorded += 1
        const world = worlds[Math.floor(Math.random() * worlds.length)] as WebhookWorld
        const isRolledBack = Math.random() < 0.25
        const type = types[Math.floor(Math.random() * types.length)] as EventType
        const id = await world.recordEvent(type, { order_id: crypto.randomUUID() }, isRolledBack)
        if (isRolledBack) rolledBack.add(id)
        await sleep(Math.random() * 200)
      }
    })
    await killWorkers()
    const receivedMeanwhile = receiver.messages.length
    isOver = true
    await Promise.all(writers)

    await startWorker()
    await until(
      'all events are delivered',
      async () =>
        (await count(`
          select (select count(*)::int from cell.event_outbox)
            + (select count(*)::int from cell.webhook_delivery where state <> 'DELIVERED')
            + (select count(*)::int from cell.event_head join cell.webhook_cursor using (tenant_id)
               where last_sequence <> sequence) as count`)) === 0,
      120_000,
    )

    assert.ok(rolledBack.size > kills, `${rolledBack.size} transactions rolled back`)
    assert.ok(receivedMeanwhile > 4 * kills, `${receivedMeanwhile} messages received while workers were killed`)
    for (const endpoint of endpoints) await assertDelivered(endpoint, accepted, rolledBack)
    // One delivery per event and endpoint: if a message was received twice, the result of its first attempt was lost.
    assert.equal(
      await count('select count(*)::int from cell.webhook_delivery'),
      await count('select count(distinct (endpoint_id, event_id))::int as count from cell.webhook_delivery'),
    )
  })
})
