import assert from 'node:assert/strict'
import { after, afterEach, beforeEach, describe, test } from 'node:test'
import { DirectOperations } from '../../test/harness/callers/operations.ts'
import { WebhookWorld } from '../../test/harness/data/webhook-world.ts'
import { TestInstallation } from '../../test/harness/installation/test-installation.ts'
import { WebhookReceiver } from '../../test/harness/servers/webhook-receiver.ts'
import { until, waitingForLocks } from '../../test/harness/wait.ts'
import { systemClock } from '../platform/base/clock.ts'
import { createLogger } from '../platform/base/log.ts'
import type { LoopContext } from '../platform/jobs/loop.ts'
import { createMailer } from '../platform/mail/mailer.ts'
import { createPool } from '../platform/postgres/pools.ts'
import { Vaults } from '../platform/postgres/vault.ts'
import { raiseEventNumbers } from '../records/restore/raise-event-numbers.sql.ts'
import { fanOutEvents } from './fan-out.ts'
import { pingWebhookEndpoint } from './operator/ping-webhook-endpoint.ts'
import { resendWebhookEvents } from './operator/resend-webhook-events.ts'

describe('the fan-out of an event when one of its writes fails', async () => {
  const installation = await TestInstallation.create()
  const { config } = installation
  const pool = createPool(
    { url: config.databaseUrl, role: 'investor_token_worker', cell: undefined },
    config,
    createLogger('silent', 'test'),
  )
  afterEach(() => sql('drop function if exists cell.refuse() cascade'))
  after(() => pool.end())
  after(() => installation.end())

  const sql = (text: string, values?: unknown[]) => installation.rows(text, values)

  /** Runs the loop of the worker once. It logs the failure of a tenant and does not throw. */
  async function fanOut(tenantId: string): Promise<void> {
    const mailer = createMailer(config.smtpUrl, config.mailFrom)
    const context: LoopContext = {
      ...new DirectOperations(installation, tenantId).databases,
      cell: 'main',
      pool,
      mailer,
      vaults: new Vaults(config.dataMasterKeys),
      secretPeppers: config.secretPeppers,
      operatorUrl: 'http://localhost',
      clock: systemClock,
      log: createLogger('silent', 'test'),
    }
    await fanOutEvents.run(context, () => {})
    mailer.close()
  }

  /** Returns what the fan-out stores for the tenant: the cursor, the deliveries, and the jobs in the queue. */
  async function stored(tenantId: string): Promise<{ cursor: number; deliveries: number; jobs: number }> {
    const [row] = await sql(
      `select (select sequence::int from cell.webhook_cursor where tenant_id = $1) as cursor,
              (select count(*)::int from cell.webhook_delivery where tenant_id = $1) as deliveries,
              (select count(*)::int from graphile_worker._private_jobs where payload ->> 'tenant_id' = $1::text) as jobs`,
      [tenantId],
    )
    return row
  }

  const writes = {
    'the delivery': 'insert on cell.webhook_delivery',
    'the cursor': 'update on cell.webhook_cursor',
    'the job': 'insert on graphile_worker._private_jobs',
  }
  for (const [name, write] of Object.entries(writes))
    test(`if storing ${name} fails, delivery, cursor and job all roll back, and the next run stores each once`, async () => {
      const world = await WebhookWorld.create(installation)
      await world.endpoint('https://example.com/webhooks')
      const empty = await stored(world.tenantId)
      await world.recordEvent()
      await installation.numberEvents()
      await sql(`
        create function cell.refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
        create trigger refuse before ${write} for each row execute function cell.refuse()`)
      await fanOut(world.tenantId)
      assert.deepEqual(await stored(world.tenantId), empty)
      await sql('drop function cell.refuse() cascade')
      await fanOut(world.tenantId)
      await fanOut(world.tenantId)
      assert.deepEqual(await stored(world.tenantId), {
        cursor: 1,
        deliveries: empty.deliveries + 1,
        jobs: empty.jobs + 1,
      })
    })

  test('a tenant with a long backlog delays the event of another tenant by one batch', async () => {
    const [large, small] = [await WebhookWorld.create(installation), await WebhookWorld.create(installation)]
    for (let made = 0; made < 10; made += 1) await large.endpoint('https://example.com/webhooks')
    await small.endpoint('https://example.com/webhooks')
    await sql(
      `insert into cell.event (tenant_id, sequence, day, id, type, version, data, created_at)
       select $1, number, current_date, gen_random_uuid(), 'order.paid', '2026-07-02', '{}', now()
       from generate_series(1, 3000) number`,
      [large.tenantId],
    )
    await sql('insert into cell.event_head (tenant_id, last_sequence) values ($1, 3000)', [large.tenantId])
    // The first batch waits for this lock, so the other tenant's event arrives while the backlog is fanned out.
    await installation.owner(async (client) => {
      await client.query('begin; lock table cell.webhook_delivery in share mode')
      const started = fanOut(large.tenantId)
      await until('the first batch waits', async () => (await waitingForLocks(installation)) > 0)
      await small.recordEvent()
      await installation.numberEvents()
      await client.query('commit')
      return started
    })
    const [times] = await sql(
      `select (select max(created_at) from cell.webhook_delivery where tenant_id = $1 and type = 'order.paid') as small,
              (select max(created_at) from cell.webhook_delivery where tenant_id = $2) as large`,
      [small.tenantId, large.tenantId],
    )
    assert.ok(times.small !== null && times.small < times.large, JSON.stringify(times))
    assert.deepEqual((await stored(large.tenantId)).cursor, 3_000)
  })

  test('a resend delivers again what it contains, and no later event', async () => {
    const world = await WebhookWorld.create(installation)
    const { id } = await world.endpoint('https://example.com/webhooks')
    for (let events = 0; events < 2; events += 1) await world.recordEvent()
    await installation.numberEvents()
    await fanOut(world.tenantId)
    await sql(`update cell.webhook_delivery set state = 'DELIVERED' where tenant_id = $1`, [world.tenantId])
    // As before the last batch of a resend, when a later event has been delivered already.
    await sql(
      `update cell.webhook_endpoint set resend_since = now(), resend_after = 0, resend_done = 0, resend_until = 1
       where tenant_id = $1 and id = $2`,
      [world.tenantId, id],
    )
    await fanOut(world.tenantId)
    const states = await sql(
      `select sequence::int, state from cell.webhook_delivery where tenant_id = $1 and type = 'order.paid' order by 1`,
      [world.tenantId],
    )
    assert.deepEqual(states, [
      { sequence: 1, state: 'PENDING' },
      { sequence: 2, state: 'DELIVERED' },
    ])
  })
})

describe('the fan-out and a worker', () => {
  let installation: TestInstallation
  let receiver: WebhookReceiver

  beforeEach(async () => {
    installation = await TestInstallation.create()
    receiver = await WebhookReceiver.open()
  })
  afterEach(async () => {
    await installation.end()
    await receiver.close()
  })

  test('after a restore of the database, skip gaps of a billion numbers, resend across them, and count only events', async () => {
    const world = await WebhookWorld.create(installation)
    const endpoint = await world.endpoint(`${receiver.url}/restored`)
    const since = new Date(Date.now() - 3_600_000).toISOString()
    // Twice, as after a restore that failed and was repeated with an earlier moment.
    for (let restores = 0; restores < 2; restores += 1) {
      await world.recordEvent()
      await installation.numberEvents()
      await installation.owner(async (client) => {
        await client.query('begin')
        await raiseEventNumbers(client, '2026-11-15T10:30:00Z')
        await client.query('commit')
      })
    }
    await world.recordEvent()
    await installation.numberEvents()
    await installation.startWorker()
    const messages = () => receiver.at('/restored').map(({ body }) => ({ type: body.type, sequence: body.sequence }))
    await until('all have arrived', () => messages().length === 5)
    const paid = 'order.paid'
    const restored = 'events.restored'
    assert.deepEqual(
      messages().toSorted((one, other) => one.sequence - other.sequence),
      [
        { type: paid, sequence: 1 },
        { type: restored, sequence: 1_000_000_001 },
        { type: paid, sequence: 1_000_000_002 },
        { type: restored, sequence: 2_000_000_002 },
        { type: paid, sequence: 2_000_000_003 },
      ],
    )
    const started = await world.run(resendWebhookEvents, { endpointId: endpoint.id }, { since })
    assert.deepEqual(started.resend, { since, events: 5, done: 0 })
    await until('all have arrived again', () => messages().length === 10)
    assert.deepEqual((await world.read(endpoint)).resend, { since, events: 5, done: 5 })
    const rows = await installation.rows(
      `select after from base.audit_log where action = 'webhook_endpoint.resent' and subject_id = $1`,
      [endpoint.id],
    )
    assert.deepEqual(rows, [{ after: { since, events: 5 } }])
  })

  test('send a delivery whose job is six minutes overdue without another event, and leave one of four minutes alone', async () => {
    const world = await WebhookWorld.create(installation)
    const lost = await world.endpoint(`${receiver.url}/lost`)
    const late = await world.endpoint(`${receiver.url}/late`)
    await installation.owner(async (client) => {
      for (const { id } of [lost, late]) await world.run(pingWebhookEndpoint, { endpointId: id })
      await client.query('delete from graphile_worker._private_jobs')
      await client.query(
        `update cell.webhook_endpoint
         set job_due_at = now() - case id when $1 then interval '6 minutes' else interval '4 minutes' end`,
        [lost.id],
      )
    })
    await installation.startWorker()
    await until('the message arrived', () => receiver.at('/lost').length > 0)
    assert.deepEqual(receiver.at('/late'), [])
  })
})
