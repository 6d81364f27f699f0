import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type TestEndpoint, WebhookWorld } from '../../test/harness/data/webhook-world.ts'
import { TestInstallation } from '../../test/harness/installation/test-installation.ts'
import { pluck } from '../../test/harness/pluck.ts'
import { isSignedWith, WebhookReceiver } from '../../test/harness/servers/webhook-receiver.ts'
import { until } from '../../test/harness/wait.ts'
import { disableWebhookEndpoint } from './operator/disable-webhook-endpoint.ts'
import { enableWebhookEndpoint } from './operator/enable-webhook-endpoint.ts'
import { pingWebhookEndpoint } from './operator/ping-webhook-endpoint.ts'
import { resendWebhookDelivery } from './operator/resend-webhook-delivery.ts'
import { resendWebhookEvents } from './operator/resend-webhook-events.ts'
import { rotateWebhookSecret } from './operator/rotate-webhook-secret.ts'
import { updateWebhookEndpoint } from './operator/update-webhook-endpoint.ts'

const timeoutMs = 1_000

describe('webhook delivery, by a real worker to a real receiver', async () => {
  let world: WebhookWorld
  let path: string
  let url: string

  const installation = await TestInstallation.create({ WEBHOOK_TIMEOUT_MS: String(timeoutMs) })
  const receiver = await WebhookReceiver.open()
  await installation.startWorker()
  after(() => installation.end())
  after(() => receiver.close())

  /** Gives each test a new tenant and path. */
  const begin = async () => {
    world = await WebhookWorld.create(installation)
    path = `/${crypto.randomUUID()}`
    url = receiver.url + path
  }
  const arrived = (count: number, at = path) =>
    until(`${count} messages have arrived`, () => receiver.at(at).length >= count)
  const sql = (text: string, values: unknown[]) => installation.rows(text, values)
  const allInState = (endpoint: { id: string; secret: string }, state: string) =>
    until(`all deliveries are ${state}`, async () => {
      const rows = await world.deliveries(endpoint)
      return rows.length > 0 && rows.every((row) => row.state === state)
    })

  test('a message is the event as GET /events shows it, signed, with the event id as webhook-id', async () => {
    await begin()
    const endpoint = await world.endpoint(url)
    const orderId = crypto.randomUUID()
    const id = await world.recordEvent('order.paid', { order_id: orderId, blockers: ['a'] })
    await arrived(1)
    const [message] = receiver.at(path)
    assert.ok(message && isSignedWith(endpoint.secret, message))
    assert.ok(!isSignedWith(`whsec_${Buffer.alloc(32).toString('base64')}`, message))
    const { timestamp, ...body } = message.body
    assert.deepEqual(body, {
      id,
      type: 'order.paid',
      sequence: 1,
      api_version: '2026-07-02',
      data: { order_id: orderId, blockers: ['a'] },
    })
    assert.match(timestamp, /^\d{4}-\d\d-\d\dT.*Z$/)
    assert.equal(message.headers['webhook-id'], id)
    assert.match(message.headers['user-agent'] ?? '', /^InvestorTokenService/)
    assert.equal(message.headers['content-type'], 'application/json; charset=utf-8')
    await allInState(endpoint, 'DELIVERED')
    const [delivery] = await world.deliveries(endpoint)
    assert.deepEqual(
      [delivery.event_id, delivery.event_type, delivery.sequence, delivery.attempt_count, delivery.next_attempt_at],
      [id, 'order.paid', 1, 1, null],
    )
    assert.deepEqual([delivery.attempts[0].outcome, delivery.attempts[0].status_code], ['DELIVERED', 204])
  })

  test('an endpoint gets the event types it subscribes to, from its creation on, and nothing from another tenant', async () => {
    await begin()
    await world.recordEvent('order.paid')
    await installation.numberEvents()
    await world.endpoint(url, ['order.paid', 'order.minted'])
    const other = await WebhookWorld.create(installation, 'Other')
    await other.recordEvent('order.paid')
    await world.recordEvent('order.cancelled')
    const ids = [await world.recordEvent('order.paid'), await world.recordEvent('order.minted')]
    await arrived(2)
    await sleep(300)
    assert.deepEqual(pluck(receiver.at(path), 'id'), ids)
  })

  test('an endpoint does not get events from before its creation, even if they are fanned out later', async () => {
    await begin()
    const first = await world.endpoint(`${url}/first`)
    await world.recordEvent()
    await arrived(1, `${path}/first`)
    await world.run(disableWebhookEndpoint, { endpointId: first.id })
    await world.endpoint(url)
    await sql('update cell.webhook_cursor set sequence = 0 where tenant_id = $1', [world.tenantId])
    const id = await world.recordEvent()
    await arrived(1)
    await sleep(300)
    assert.deepEqual(pluck(receiver.at(path), 'id'), [id])
  })

  test('a ping is delivered like an event; a disabled endpoint gets nothing, and its pending deliveries are dropped', async () => {
    await begin()
    const endpoint = await world.endpoint(url)
    const params = { endpointId: endpoint.id }
    // Stays enabled, so that the fan-out does not skip the events.
    await world.endpoint(`${url}/other`)
    const ping = await world.run(pingWebhookEndpoint, params)
    await arrived(1)
    const [message] = receiver.at(path)
    assert.ok(message && isSignedWith(endpoint.secret, message))
    assert.deepEqual([message.id, message.body.type], [ping.event_id, 'webhook.ping'])
    receiver.respond(path, 500)
    await world.recordEvent()
    await arrived(2)
    await until('the result is stored', async () => (await world.read(endpoint)).failures === 1)
    const disabled = await world.run(disableWebhookEndpoint, params)
    assert.equal(disabled.disabled_reason, 'OPERATOR')
    receiver.respond(path, 204)
    await world.recordEvent()
    await assert.rejects(world.run(pingWebhookEndpoint, params), { code: 'webhook_endpoint_disabled' })
    await sleep(500)
    assert.equal(receiver.at(path).length, 2)
    assert.deepEqual(pluck(await world.deliveries(endpoint), 'state'), ['DELIVERED', 'DROPPED'])
    await world.run(enableWebhookEndpoint, params)
    const id = await world.recordEvent()
    await arrived(3)
    assert.equal(receiver.at(path)[2]?.id, id)
  })

  test('a failed message is retried after 5 s with the same webhook-id, at the new url if it changed', async () => {
    await begin()
    const endpoint = await world.endpoint(`${url}/wrong`)
    receiver.respond(`${path}/wrong`, 500)
    const id = await world.recordEvent()
    await arrived(1, `${path}/wrong`)
    await world.run(updateWebhookEndpoint, { endpointId: endpoint.id }, { url })
    const failed = receiver.at(`${path}/wrong`)[0]
    await arrived(1)
    const delay = (receiver.at(path)[0]?.at ?? 0) - (failed?.at ?? 0)
    assert.ok(delay > 4_900 && delay < 20_000, `${delay} ms`)
    assert.deepEqual([receiver.at(path)[0]?.id, failed?.id], [id, id])
    await allInState(endpoint, 'DELIVERED')
    const [delivery] = await world.deliveries(endpoint)
    assert.deepEqual(
      delivery.attempts.map((one: { number: number; status_code: number }) => [one.number, one.status_code]),
      [
        [1, 500],
        [2, 204],
      ],
    )
    assert.deepEqual((await world.read(endpoint)).failing_since, null)
  })

  test('messages are signed with both secrets for 24 hours after a rotation, then only with the new one', async () => {
    await begin()
    const endpoint = await world.endpoint(url)
    const rotated = await world.run(rotateWebhookSecret, { endpointId: endpoint.id }, {})
    assert.ok(rotated.previous_secret_ends_at > new Date(Date.now() + 23.9 * 3_600_000).toISOString())
    await world.recordEvent()
    await arrived(1)
    const [first] = receiver.at(path)
    assert.ok(first && isSignedWith(endpoint.secret, first) && isSignedWith(rotated.secret, first))
    await sql(`update cell.webhook_endpoint set previous_secret_ends_at = now() where id = $1`, [endpoint.id])
    await world.recordEvent()
    await arrived(2)
    const [, second] = receiver.at(path)
    assert.ok(second && !isSignedWith(endpoint.secret, second) && isSignedWith(rotated.secret, second))
  })

  test('an operator resends a delivered message, or all events since a time, with the same webhook-ids', async () => {
    await begin()
    const endpoint = await world.endpoint(url, ['order.paid'])
    const params = { endpointId: endpoint.id }
    const since = new Date().toISOString()
    const ids = [await world.recordEvent(), await world.recordEvent()]
    await world.recordEvent('order.minted')
    await arrived(2)
    await allInState(endpoint, 'DELIVERED')
    await world.run(resendWebhookDelivery, { ...params, eventId: ids[0] ?? '' })
    await arrived(3)
    assert.equal(receiver.at(path)[2]?.id, ids[0])
    // The resend includes an event that was recorded while the endpoint was disabled.
    await world.run(disableWebhookEndpoint, params)
    ids.push(await world.recordEvent())
    await sleep(300)
    await world.run(enableWebhookEndpoint, params)
    const started = await world.run(resendWebhookEvents, params, { since })
    // Four events of integrators, and the operators' event that the endpoint was disabled.
    assert.deepEqual([started.resend.events, started.resend.done], [5, 0])
    await arrived(6)
    assert.deepEqual(
      receiver
        .at(path)
        .slice(3)
        .map(({ id }) => id),
      ids,
    )
    assert.deepEqual((await world.read(endpoint)).resend, { since, events: 5, done: 5 })
    await assert.rejects(world.run(resendWebhookDelivery, { ...params, eventId: crypto.randomUUID() }), {
      code: 'not_found',
    })
  })

  test('a 410 response disables the endpoint', async () => {
    await begin()
    receiver.respond(path, 410)
    const endpoint = await world.endpoint(url)
    await world.recordEvent()
    await until('the endpoint is disabled', async () => (await world.read(endpoint)).disabled_reason === 'GONE')
    await world.recordEvent()
    await sleep(300)
    assert.equal(receiver.at(path).length, 1)
  })

  test('redirects are not followed', async () => {
    await begin()
    receiver.respond(path, (_, response) => void response.writeHead(307, { location: `${url}/elsewhere` }).end())
    const endpoint = await world.endpoint(url)
    await world.recordEvent()
    await until('the result is stored', async () => (await world.deliveries(endpoint))[0]?.attempt_count === 1)
    const [delivery] = await world.deliveries(endpoint)
    assert.deepEqual([delivery.attempts[0].outcome, delivery.attempts[0].status_code], ['REDIRECT', 307])
    assert.equal(receiver.at(`${path}/elsewhere`).length, 0)
  })

  test('a response that trickles ends with the timeout; an endless one is cut off and counts by its status', async () => {
    await begin()
    receiver.respond(path, (_, response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write('.'), 50)
      response.on('close', () => clearInterval(timer))
    })
    let written = 0
    receiver.respond(`${path}/giant`, (_, response) => {
      response.writeHead(200)
      const part = Buffer.alloc(65_536)
      const write = () => {
        while (!response.destroyed && response.write(part)) written += part.length
      }
      response.on('drain', write)
      write()
    })
    const trickling = await world.endpoint(url, ['order.paid'])
    const giant = await world.endpoint(`${url}/giant`, ['order.minted'])
    await Promise.all([world.recordEvent('order.paid'), world.recordEvent('order.minted')])
    for (const endpoint of [trickling, giant])
      await until('an attempt is stored', async () => (await world.deliveries(endpoint))[0]?.attempt_count === 1)
    const [slow] = (await world.deliveries(trickling))[0].attempts
    assert.equal(slow.outcome, 'TIMEOUT')
    assert.ok(slow.duration_ms >= timeoutMs && slow.duration_ms < timeoutMs + 2_000, `${slow.duration_ms} ms`)
    assert.equal((await world.deliveries(giant))[0].attempts[0].outcome, 'DELIVERED')
    assert.ok(written < 20_000_000, `${written} bytes`)
  })

  test('endpoints that hang do not delay another one, and get one message at a time', async () => {
    await begin()
    const hanging: TestEndpoint[] = []
    for (let count = 0; count < 40; count += 1) {
      receiver.respond(`${path}/hangs/${count}`, () => {})
      hanging.push(await world.endpoint(`${url}/hangs/${count}`))
    }
    await world.endpoint(url, ['order.minted'])
    for (let count = 0; count < 3; count += 1) await world.recordEvent('order.paid')
    await arrived(1, `${path}/hangs/0`)
    const happenedAt = performance.now()
    await world.recordEvent('order.minted')
    await arrived(1)
    const delay = (receiver.at(path)[0]?.at ?? 0) - happenedAt
    // With five slots, 40 receivers that hang for a second each would occupy the queue for eight seconds.
    assert.ok(delay < 6_000, `${delay} ms`)
    // From now on, a single message tests whether the endpoint has recovered.
    await until('they are failing', async () => (await world.read(hanging[0] as TestEndpoint)).failures === 1)
    const seen = receiver.at(`${path}/hangs/0`).length
    await until('one message is retried', () => receiver.at(`${path}/hangs/0`).length > seen)
    // Long enough for a second message, if there were one.
    await sleep(timeoutMs * 2)
    assert.equal(receiver.at(`${path}/hangs/0`).length, seen + 1)
  })
})
