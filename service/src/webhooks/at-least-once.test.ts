import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningProcess } from '../../test/harness/process.ts'
import { TestInstallation } from '../../test/harness/service.ts'
import { until } from '../../test/harness/wait.ts'
import { isSignedWith, type ReceivedMessage, WebhookReceiver } from '../../test/harness/webhook-receiver.ts'
import { type TestEndpoint, WebhookWorld } from '../../test/harness/webhook-world.ts'
import type { EventType } from '../records/events/event-types.ts'

const kills = 50
const writerCount = 6
/** Starting one takes longer than sending, so several start while others work. */
const startingAhead = 1
/** Jobs of the dead are freed by who lives long enough to look twice, a second apart. */
const aliveMax = 2
const refusalMs = 15_000
const types: EventType[] = ['order.created', 'order.paid', 'order.minted', 'wallet.activated']
/** Each tenant has an endpoint for everything and some for less. */
const filters: (EventType[] | undefined)[] = [undefined, ['order.paid'], ['order.minted', 'wallet.activated']]

describe('webhooks', () => {
  let installation: TestInstallation
  let receiver: WebhookReceiver
  let compiled: string

  before(async () => {
    installation = await TestInstallation.create({ DATABASE_POOL_MAX: '6' })
    receiver = await WebhookReceiver.open()
    // The first one writes down what it compiled, when it ends in peace; those that are killed start in half the time.
    compiled = await mkdtemp(join(tmpdir(), 'investor-token-'))
    await (await startWorker()).stop()
  })
  after(async () => {
    await installation.end()
    await receiver.close()
    await rm(compiled, { recursive: true })
  })

  const startWorker = () => installation.startWorker({ NODE_COMPILE_CACHE: compiled })
  const count = async (question: string): Promise<number> => {
    const { rows } = await installation.owner((client) => client.query<{ count: number }>(question))
    return rows[0]?.count ?? 0
  }

  test(`every event arrives at every endpoint that wants it, and nothing that was undone, under ${kills} killed workers`, async () => {
    const worlds = [await WebhookWorld.create(installation, 'A'), await WebhookWorld.create(installation, 'B')]
    const endpoints: { world: WebhookWorld; path: string; filter: EventType[] | undefined; made: TestEndpoint }[] = []
    const taken = new Set<ReceivedMessage>()
    for (const world of worlds)
      for (const filter of filters) {
        const path = `/${crypto.randomUUID()}`
        // One message in thirty is refused at first: it has to come again. Never two in a row, after which an endpoint
        // would be left alone for longer than this test has time.
        let refusedAt = Number.NEGATIVE_INFINITY
        receiver.answer(path, (message, response) => {
          const isFirst = receiver.at(path).filter(({ id }) => id === message.id).length === 1
          const isRefused = isFirst && performance.now() - refusedAt > refusalMs && Math.random() < 1 / 30
          if (isRefused) refusedAt = performance.now()
          else taken.add(message)
          response.writeHead(isRefused ? 503 : 200).end()
        })
        endpoints.push({ world, path, filter, made: await world.endpoint(receiver.url + path, filter) })
      }

    let isOver = false
    const undone = new Set<string>()
    const writers = Array.from({ length: writerCount }, async () => {
      while (!isOver) {
        const world = worlds[Math.floor(Math.random() * worlds.length)] as WebhookWorld
        const isUndone = Math.random() < 0.25
        const type = types[Math.floor(Math.random() * types.length)] as EventType
        const id = await world.happen(type, { order_id: 'o' }, isUndone)
        if (isUndone) undone.add(id)
        await sleep(Math.random() * 200)
      }
    })
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
    const arrivedUnderFire = receiver.messages.length
    isOver = true
    await Promise.all(writers)

    await startWorker()
    await until(
      'all has been sent',
      async () =>
        (await count(`
          select (select count(*)::int from cell.event_outbox)
            + (select count(*)::int from cell.webhook_delivery where state <> 'DELIVERED')
            + (select count(*)::int from cell.event_head join cell.webhook_cursor using (tenant_id)
               where last_sequence <> sequence) as count`)) === 0,
      60_000,
    )

    assert.ok(undone.size > 50, `${undone.size} undone`)
    assert.ok(arrivedUnderFire > 200, `${arrivedUnderFire} messages arrived while workers were killed`)
    for (const { world, path, filter, made } of endpoints) {
      const wanted = await installation.owner((client) =>
        client.query<{ id: string }>(
          'select id from cell.event where tenant_id = $1 and ($2::text[] is null or type = any($2)) order by id',
          [world.tenantId, filter ?? null],
        ),
      )
      const arrived = receiver.at(path)
      assert.ok(wanted.rows.length > 20, `${wanted.rows.length} events`)
      assert.deepEqual(
        [...new Set(arrived.filter((message) => taken.has(message)).map(({ id }) => id))].toSorted(),
        wanted.rows.map(({ id }) => id),
      )
      for (const message of arrived) {
        assert.ok(isSignedWith(made.secret, message), 'a signature is wrong')
        assert.equal(message.body.id, message.id)
        assert.ok(!undone.has(message.id), 'what was undone was told')
      }
      const bodies = new Map(arrived.map(({ id, text }) => [id, text]))
      for (const { id, text } of arrived) assert.equal(text, bodies.get(id), 'the same message every time')
    }
    // One message for each event and endpoint: what came twice is an attempt that nobody lived to write down.
    assert.equal(
      await count('select count(*)::int from cell.webhook_delivery'),
      await count('select count(distinct (endpoint_id, event_id))::int as count from cell.webhook_delivery'),
    )
  })
})
