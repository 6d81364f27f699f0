import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import pg from 'pg'
import { WebhookWorld } from '../../test/harness/data/webhook-world.ts'
import { asOwner, createEmptyDatabase, createTestDatabase, redisUrl } from '../../test/harness/installation/database.ts'
import { TestInstallation } from '../../test/harness/installation/test-installation.ts'
import { WebhookReceiver } from '../../test/harness/servers/webhook-receiver.ts'
import { until } from '../../test/harness/wait.ts'
import { migrate } from '../maintain/migrate/migrate.ts'

/** As many tenants as the fan-out handles at once, and more than the transactions of deliveries that may run. */
const frozenTenants = 4

describe('a worker of two cells, one of which does not respond', async () => {
  const frozen: WebhookWorld[] = []

  const [main, east] = await Promise.all([createTestDatabase(), createEmptyDatabase()])
  const cells = new Map([
    ['main', main.url],
    ['east', east.url],
  ])
  await migrate({ ownerDatabaseUrl: main.url, ownerCells: cells }, () => {})
  const installation = new TestInstallation({
    DATABASE_URL: main.url,
    CELLS: [...cells].map((entry) => entry.join('=')).join(' '),
    REDIS_URL: redisUrl,
    DATABASE_POOL_MAX: '8',
  })
  const receiver = await WebhookReceiver.open()
  const other = await WebhookWorld.create(installation)
  await other.endpoint(`${receiver.url}/other`)
  for (let count = 0; count < frozenTenants; count += 1) {
    const world = await WebhookWorld.create(installation, 'Frozen', 'east')
    await world.endpoint(`${receiver.url}/frozen`)
    frozen.push(world)
  }
  await installation.startWorker()
  after(async () => {
    await installation.end()
    await receiver.close()
    await Promise.all([main.drop(), east.drop()])
  })

  /** Locks the table that both the fan-out and the results of deliveries need. Finding the work does not need it. */
  async function whileFrozen(work: (client: pg.Client) => Promise<void>): Promise<void> {
    const client = new pg.Client(east.url)
    await client.connect()
    try {
      await client.query('begin; lock table cell.webhook_delivery in access exclusive mode')
      await work(client)
    } finally {
      await client.end()
    }
  }
  /** Returns the transactions of the cell that wait for the lock. They give up after 15 s. */
  const waiting = async (): Promise<string[]> => {
    const { rows } = await asOwner(east.url, (client) =>
      client.query<{ id: string }>(
        `select pid || ' since ' || xact_start as id from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      ),
    )
    return rows.map(({ id }) => id)
  }
  /** Asserts that the other cell gets a message while this many transactions of the frozen one wait throughout. */
  async function otherIsServed(count: number): Promise<void> {
    await until(`${count} transactions wait`, async () => (await waiting()).length >= count)
    const earlier = await waiting()
    const received = receiver.at('/other').length
    await other.recordEvent()
    await arrived('/other', received + 1)
    const still = new Set(await waiting())
    const lost = earlier.filter((id) => !still.has(id))
    assert.deepEqual(lost, [], 'the message waited until the frozen cell gave up')
  }
  const arrived = (path: string, count: number) =>
    until(`${count} messages have arrived at ${path}`, () => receiver.at(path).length === count)

  test('sends the messages of the other cell while no result of the first can be stored', async () => {
    const responses: (() => void)[] = []
    receiver.respond('/frozen', (_, response) => void responses.push(() => response.writeHead(204).end()))
    await Promise.all(frozen.map((world) => world.recordEvent()))
    await arrived('/frozen', frozenTenants)
    await whileFrozen(async () => {
      for (const respond of responses) respond()
      await otherIsServed(2)
    })
  })

  test('fans out the events of the other cell while those of the first wait', async () => {
    receiver.respond('/frozen', 204)
    await whileFrozen(async (client) => {
      // Numbers all events at once: a run never ends here, and it handles only the tenants that it found at first.
      await client.query(`select pg_advisory_lock(hashtextextended('cell.event_outbox', 0))`)
      await Promise.all(frozen.map((world) => world.recordEvent()))
      await client.query(`select pg_advisory_unlock(hashtextextended('cell.event_outbox', 0))`)
      await otherIsServed(frozenTenants)
      assert.equal(receiver.at('/frozen').length, frozenTenants)
    })
    await arrived('/frozen', 2 * frozenTenants)
  })
})
