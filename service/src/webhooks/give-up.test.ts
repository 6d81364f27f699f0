import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type TestEndpoint, WebhookWorld } from '../../test/harness/data/webhook-world.ts'
import { TestInstallation } from '../../test/harness/installation/test-installation.ts'
import { Mailbox } from '../../test/harness/servers/mailbox.ts'
import { WebhookReceiver } from '../../test/harness/servers/webhook-receiver.ts'
import { until } from '../../test/harness/wait.ts'
import { disableWebhookEndpoint } from './operator/disable-webhook-endpoint.ts'
import { pingWebhookEndpoint } from './operator/ping-webhook-endpoint.ts'
import { resendWebhookDelivery } from './operator/resend-webhook-delivery.ts'

describe('failing deliveries and endpoints', async () => {
  const mailbox = await Mailbox.open()
  const installation = await TestInstallation.create({ SMTP_URL: mailbox.url, DATABASE_POOL_MAX: '12' })
  const receiver = await WebhookReceiver.open()
  // Two workers, because what must happen once must happen once across workers.
  await Promise.all([installation.startWorker(), installation.startWorker()])
  after(() => installation.end())
  after(() => receiver.close())
  after(() => mailbox.close())

  const sql = (text: string, values: unknown[]) => installation.rows(text, values)
  const createEndpoint = async (status: number, headers: Record<string, string> = {}) => {
    const world = await WebhookWorld.create(installation)
    const path = `/${crypto.randomUUID()}`
    receiver.respond(path, (_, response) => void response.writeHead(status, headers).end())
    const endpoint = await world.endpoint(receiver.url + path)
    return { world, path, endpoint }
  }
  /** Simulates that this much time has passed since the last attempt. */
  const shiftFailures = (endpoint: TestEndpoint, interval: string) =>
    sql(
      `update cell.webhook_endpoint
       set failing_since = failing_since - $2::interval, backoff_until = backoff_until - $2::interval where id = $1`,
      [endpoint.id, interval],
    )

  test('an endpoint that has only failed for five days is disabled once, with one mail to each admin', async () => {
    const { world, path, endpoint } = await createEndpoint(500)
    const admins = ['ann@example.com', 'bob@example.com']
    for (const email of admins) await installation.addUser(world.tenantId, email)
    await installation.createOperator(world.tenantId, { role: 'operator' })
    const params = { endpointId: endpoint.id }
    await world.recordEvent()
    await until('the first attempt failed', async () => (await world.read(endpoint)).failures === 1)
    await shiftFailures(endpoint, '4 days 23 hours')
    await world.run(pingWebhookEndpoint, params)
    await until('the second attempt failed', async () => (await world.read(endpoint)).failures === 2)
    assert.equal((await world.read(endpoint)).disabled_at, null)
    await shiftFailures(endpoint, '1 hour')
    // Concurrent pings: some of them may find the endpoint disabled.
    await Promise.allSettled(Array.from({ length: 5 }, () => world.run(pingWebhookEndpoint, params)))
    await until('the endpoint is disabled', async () => (await world.read(endpoint)).disabled_reason === 'FAILING')
    await until('both admins got a mail', () => mailbox.mails.length >= 2)
    const attempts = receiver.at(path).length
    await world.recordEvent()
    await sleep(1_000)
    assert.deepEqual(mailbox.mails.map(({ to }) => to?.[0]?.address).toSorted(), admins)
    for (const mail of mailbox.mails) {
      assert.equal(mail.subject, 'A webhook endpoint has been disabled')
      assert.match(mail.text ?? '', new RegExp(`Endpoint: +${endpoint.id}`))
      assert.match(mail.text ?? '', /for five days/)
    }
    assert.ok(receiver.at(path).length <= attempts + 1, 'a disabled endpoint gets nothing')
    const rows = await sql(
      `select actor_type, after from base.audit_log where subject_id = $1 and action = 'webhook_endpoint.disabled'`,
      [endpoint.id],
    )
    assert.deepEqual(rows, [{ actor_type: 'system', after: { disabled_reason: 'FAILING' } }])
    const pending = await sql(`select from cell.webhook_delivery where endpoint_id = $1 and state = 'PENDING'`, [
      endpoint.id,
    ])
    assert.equal(pending.length, 0)
  })

  test('after three attempts in development a delivery is FAILED, and the endpoint stays enabled', async () => {
    const { world, path, endpoint } = await createEndpoint(500)
    const id = await world.recordEvent()
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await until(`attempt ${attempt}`, async () => (await world.deliveries(endpoint))[0]?.attempt_count === attempt)
      const [delivery] = await world.deliveries(endpoint)
      assert.equal(delivery.state, attempt < 3 ? 'PENDING' : 'FAILED')
      const delay = Date.parse(delivery.next_attempt_at) - Date.parse(delivery.attempts.at(-1).at)
      if (attempt === 1) assert.ok(delay >= 5_000 && delay < 10_000, `${delay} ms`)
      if (attempt === 2) assert.ok(delay >= 300_000 && delay < 340_000, `${delay} ms`)
      if (attempt === 3) break
      // Makes the retry due; the ping ends the backoff of the endpoint.
      await sql(`update cell.webhook_delivery set due_at = now() - interval '1 hour' where event_id = $1`, [id])
      await world.run(pingWebhookEndpoint, { endpointId: endpoint.id })
    }
    assert.equal(receiver.at(path).filter((message) => message.id === id).length, 3)
    receiver.respond(path, 204)
    const next = await world.run(pingWebhookEndpoint, { endpointId: endpoint.id })
    await until('the message arrived', () => receiver.at(path).some((message) => message.id === next.event_id))
  })

  test('Retry-After delays the rejected message and all others', async () => {
    const { world, path, endpoint } = await createEndpoint(503, { 'retry-after': '3' })
    await world.recordEvent()
    await until('the message was rejected', async () => (await world.read(endpoint)).failures === 1)
    receiver.respond(path, 204)
    // The schedule's 5 s are longer than the requested 3 s; in the second case the requested delay is longer.
    const { next_attempt_at: schedule } = await world.read(endpoint)
    assert.ok(Date.parse(schedule) - Date.now() < 6_000)
    const delayed = await createEndpoint(429, { 'retry-after': '7200' })
    await delayed.world.recordEvent()
    await until('the message was rejected', async () => (await delayed.world.read(delayed.endpoint)).failures === 1)
    await delayed.world.recordEvent()
    await sleep(500)
    const { next_attempt_at: requested } = await delayed.world.read(delayed.endpoint)
    assert.ok(Math.abs(Date.parse(requested) - Date.now() - 7_200_000) < 60_000, requested)
    const [first] = await delayed.world.deliveries(delayed.endpoint)
    assert.ok(Math.abs(Date.parse(first.next_attempt_at) - Date.now() - 7_200_000) < 60_000)
    assert.equal(receiver.at(delayed.path).length, 1)
  })

  test('an endpoint whose delivery job was lost gets a new one with the next event', async () => {
    const { world, path, endpoint } = await createEndpoint(204)
    await sql(
      `update cell.webhook_endpoint set has_job = true, job_number = 7, job_due_at = now() - interval '6 minutes'
       where id = $1`,
      [endpoint.id],
    )
    const id = await world.recordEvent()
    // On a busy machine a worker may fail to get a connection; the queue then retries the job after 3 and 7 s.
    await until('the message arrived', () => receiver.at(path).some((message) => message.id === id))
  })

  for (const [status, outcome, state] of [
    [500, 'fails', 'DROPPED'],
    [204, 'succeeds', 'DELIVERED'],
  ] as const)
    test(`a delivery in flight while its endpoint is disabled is ${state} if its attempt ${outcome}`, async () => {
      const { world, path, endpoint } = await createEndpoint(204)
      let respond = () => {}
      receiver.respond(path, (_, response) => {
        respond = () => void response.writeHead(status).end()
      })
      await world.recordEvent()
      await until('the message arrived', () => receiver.at(path).length === 1)
      await world.run(disableWebhookEndpoint, { endpointId: endpoint.id })
      respond()
      await until('the result is stored', async () => (await world.deliveries(endpoint))[0]?.attempt_count === 1)
      assert.equal((await world.deliveries(endpoint))[0].state, state)
    })

  for (const [name, made] of [
    ['first', 1],
    ['last', 2],
  ] as const)
    test(`a resend during the ${name} attempt is sent, although that attempt fails and is recorded`, async () => {
      const { world, path, endpoint } = await createEndpoint(500)
      const requested = Promise.withResolvers<{ next_attempt_at: string }>()
      receiver.respond(path, ({ id: eventId }, response) => {
        const count = receiver.at(path).length
        const resent =
          count === made
            ? world.run(resendWebhookDelivery, { endpointId: endpoint.id, eventId }).then(requested.resolve)
            : Promise.resolve()
        void resent.then(() => response.writeHead(count > made ? 204 : 500).end(), requested.reject)
      })
      const id = await world.recordEvent()
      if (name === 'last') {
        await until('an attempt is stored', async () => (await world.read(endpoint)).failures === 1)
        await sql('update cell.webhook_delivery set attempts_since_queued = 2 where event_id = $1', [id])
      }
      const { next_attempt_at } = await requested.promise
      await until('the result is stored', async () => (await world.read(endpoint)).failures === made)
      const [delivery] = await world.deliveries(endpoint)
      assert.deepEqual([delivery.state, delivery.next_attempt_at], ['PENDING', next_attempt_at])
      assert.equal(delivery.attempts.length, made)
      // The ping ends the backoff of the endpoint.
      await world.run(pingWebhookEndpoint, { endpointId: endpoint.id })
      await until('it is delivered', async () => (await world.deliveries(endpoint))[0].state === 'DELIVERED')
      assert.equal(receiver.at(path).filter((message) => message.id === id).length, made + 1)
    })
})
