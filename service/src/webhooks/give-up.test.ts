import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Mailbox } from '../../test/harness/mailbox.ts'
import { TestInstallation } from '../../test/harness/service.ts'
import { until } from '../../test/harness/wait.ts'
import { WebhookReceiver } from '../../test/harness/webhook-receiver.ts'
import { type TestEndpoint, WebhookWorld } from '../../test/harness/webhook-world.ts'
import { pingWebhookEndpoint } from './operator/ping-webhook-endpoint.ts'

describe('giving up on messages and endpoints', () => {
  let installation: TestInstallation
  let receiver: WebhookReceiver
  let mailbox: Mailbox

  before(async () => {
    mailbox = await Mailbox.open()
    installation = await TestInstallation.create({ SMTP_URL: mailbox.url })
    receiver = await WebhookReceiver.open()
    // Two: what happens once must do so between them.
    await Promise.all([installation.startWorker(), installation.startWorker()])
  })
  after(async () => {
    await installation.end()
    await receiver.close()
    await mailbox.close()
  })

  const sql = (text: string, values: unknown[]) => installation.owner((client) => client.query(text, values))
  const begin = async (status: number, headers: Record<string, string> = {}) => {
    const world = await WebhookWorld.create(installation)
    const path = `/${crypto.randomUUID()}`
    receiver.answer(path, (_, response) => void response.writeHead(status, headers).end())
    const endpoint = await world.endpoint(receiver.url + path)
    return { world, path, endpoint }
  }
  /** As if so much time had passed since the last attempt. */
  const later = (endpoint: TestEndpoint, interval: string) =>
    sql(
      `update cell.webhook_endpoint
       set failing_since = failing_since - $2::interval, blocked_until = blocked_until - $2::interval where id = $1`,
      [endpoint.id, interval],
    )

  test('an endpoint that only failed for five days is disabled, once, with one mail to each admin', async () => {
    const { world, path, endpoint } = await begin(500)
    const people = ['ann@example.com', 'bob@example.com']
    for (const email of people) await installation.addUser(world.tenantId, email)
    await installation.createOperator(world.tenantId, { role: 'operator' })
    const params = { endpointId: endpoint.id }
    await world.happen()
    await until('it failed', async () => (await world.read(endpoint)).failures === 1)
    await later(endpoint, '4 days 23 hours')
    await world.run(pingWebhookEndpoint, params)
    await until('it failed again', async () => (await world.read(endpoint)).failures === 2)
    assert.equal((await world.read(endpoint)).disabled_at, null)
    await later(endpoint, '1 hour')
    // Several at once: some of them may find it disabled already.
    await Promise.allSettled(Array.from({ length: 5 }, () => world.run(pingWebhookEndpoint, params)))
    await until('it is disabled', async () => (await world.read(endpoint)).disabled_reason === 'FAILING')
    await until('both are told', () => mailbox.mails.length >= 2)
    const attempts = receiver.at(path).length
    await world.happen()
    await sleep(1_000)
    assert.deepEqual(mailbox.mails.map(({ to }) => to?.[0]?.address).toSorted(), people)
    for (const mail of mailbox.mails) {
      assert.equal(mail.subject, 'A webhook endpoint has been disabled')
      assert.match(mail.text ?? '', new RegExp(`Endpoint: +${endpoint.id}`))
      assert.match(mail.text ?? '', /for five days/)
    }
    assert.ok(receiver.at(path).length <= attempts + 1, 'nothing is sent any more')
    const { rows } = await sql(
      `select actor_type, after from base.audit_log where subject_id = $1 and action = 'webhook_endpoint.disabled'`,
      [endpoint.id],
    )
    assert.deepEqual(rows, [{ actor_type: 'system', after: { disabled_reason: 'FAILING' } }])
    const { rows: waiting } = await sql(
      `select from cell.webhook_delivery where endpoint_id = $1 and state = 'PENDING'`,
      [endpoint.id],
    )
    assert.equal(waiting.length, 0)
  })

  test('after three attempts in development a message has FAILED, and the endpoint goes on', async () => {
    const { world, path, endpoint } = await begin(500)
    const id = await world.happen()
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await until(`attempt ${attempt}`, async () => (await world.deliveries(endpoint))[0]?.attempt_count === attempt)
      const [delivery] = await world.deliveries(endpoint)
      assert.equal(delivery.state, attempt < 3 ? 'PENDING' : 'FAILED')
      const pause = Date.parse(delivery.next_attempt_at) - Date.parse(delivery.attempts.at(-1).at)
      if (attempt === 1) assert.ok(pause >= 5_000 && pause < 6_000, `${pause} ms`)
      if (attempt === 2) assert.ok(pause >= 300_000 && pause < 331_000, `${pause} ms`)
      if (attempt === 3) break
      // As if the pause were over; the ping behind it wakes the endpoint up.
      await sql(`update cell.webhook_delivery set due_at = now() - interval '1 hour' where event_id = $1`, [id])
      await world.run(pingWebhookEndpoint, { endpointId: endpoint.id })
    }
    assert.equal(receiver.at(path).filter((message) => message.id === id).length, 3)
    receiver.answer(path, 204)
    const next = await world.run(pingWebhookEndpoint, { endpointId: endpoint.id })
    await until('it arrived', () => receiver.at(path).some((message) => message.id === next.event_id))
  })

  test('503 with Retry-After: neither this message nor the next is sent before', async () => {
    const { world, path, endpoint } = await begin(503, { 'retry-after': '3' })
    await world.happen()
    await until('it was refused', async () => (await world.read(endpoint)).failures === 1)
    receiver.answer(path, 204)
    // 5 s of the schedule are longer than 3; a longer wish counts more.
    const { next_attempt_at: schedule } = await world.read(endpoint)
    assert.ok(Date.parse(schedule) - Date.now() < 6_000)
    const patient = await begin(429, { 'retry-after': '7200' })
    await patient.world.happen()
    await until('it was refused', async () => (await patient.world.read(patient.endpoint)).failures === 1)
    await patient.world.happen()
    await sleep(500)
    const { next_attempt_at: asked } = await patient.world.read(patient.endpoint)
    assert.ok(Math.abs(Date.parse(asked) - Date.now() - 7_200_000) < 10_000, asked)
    const [first] = await patient.world.deliveries(patient.endpoint)
    assert.ok(Math.abs(Date.parse(first.next_attempt_at) - Date.now() - 7_200_000) < 10_000)
    assert.equal(receiver.at(patient.path).length, 1)
  })

  test('a job that is lost is found: its endpoint gets another turn when something happens', async () => {
    const { world, path, endpoint } = await begin(204)
    await sql(
      `update cell.webhook_endpoint set is_served = true, turn = 7, turn_at = now() - interval '6 minutes' where id = $1`,
      [endpoint.id],
    )
    const id = await world.happen()
    await until('it arrived', () => receiver.at(path).some((message) => message.id === id))
  })
})
