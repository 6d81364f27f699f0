import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { recordedChanges } from '../../test/harness/data/recorded.ts'
import { type TestEndpoint, WebhookWorld } from '../../test/harness/data/webhook-world.ts'
import { TestInstallation } from '../../test/harness/installation/test-installation.ts'
import { pluck } from '../../test/harness/pluck.ts'
import { isSignedWith, WebhookReceiver } from '../../test/harness/servers/webhook-receiver.ts'
import { until } from '../../test/harness/wait.ts'
import { disableWebhookEndpoint } from './operator/disable-webhook-endpoint.ts'
import { enableWebhookEndpoint } from './operator/enable-webhook-endpoint.ts'
import { pingWebhookEndpoint } from './operator/ping-webhook-endpoint.ts'
import { updateWebhookEndpoint } from './operator/update-webhook-endpoint.ts'

describe('the verification of a webhook endpoint', async () => {
  const installation = await TestInstallation.create()
  const world = await WebhookWorld.create(installation)
  const receiver = await WebhookReceiver.open()
  receiver.seesVerifications = true
  await installation.startWorker()
  after(() => installation.end())
  after(() => receiver.close())

  const echo = (path: string, change = (challenge: string): unknown => ({ challenge })) =>
    receiver.respond(path, (message, response) => {
      const { type, data } = message.body
      response.writeHead(200).end(type === 'endpoint.verification' ? JSON.stringify(change(data.challenge)) : '')
    })
  const typesAt = (path: string) => receiver.at(path).map(({ body }) => body.type as string)
  /**
   * Ignores repeated challenges: a failed attempt is retried after five seconds, and a busy machine may take that long.
   */
  const challengesAt = (path: string) =>
    new Set(receiver.at(path).flatMap(({ body }) => body.data.challenge ?? [])) as Set<string>
  const outcomes = async ({ id }: TestEndpoint) => {
    const rows = await installation.rows(
      `select attempts from cell.webhook_delivery where endpoint_id = $1 and type = 'endpoint.verification'
       order by created_at`,
      [id],
    )
    return rows.flatMap(({ attempts }) => attempts.map(({ outcome }: { outcome: string }) => outcome)) as string[]
  }
  test('an endpoint that echoes the signed challenge gets the events since its creation', async () => {
    echo('/echo')
    const endpoint = await world.unverifiedEndpoint(`${receiver.url}/echo`)
    const eventId = await world.recordEvent('order.paid')
    await until('the event arrives', () => receiver.at('/echo').length === 2)
    const [verification, event] = receiver.at('/echo')
    assert.deepEqual([verification?.body.type, event?.id], ['endpoint.verification', eventId])
    assert.ok(verification && isSignedWith(endpoint.secret, verification))
    assert.match(verification.body.data.challenge, /^[\w-]{32}$/)
    await until('the delivery is stored', async () => (await world.deliveries(endpoint))[0]?.state === 'DELIVERED')
    assert.ok((await world.read(endpoint)).verified_at)
    assert.deepEqual(pluck(await recordedChanges(installation, endpoint.id), 'action'), [
      'webhook_endpoint.created',
      'webhook_endpoint.verified',
    ])
  })

  test('an endpoint that responds 200 without the challenge never gets an event, and is finally disabled', async () => {
    const wrong: ((challenge: string) => unknown)[] = [
      () => ({}),
      () => ({ challenge: 'another' }),
      (challenge) => ({ data: { challenge } }),
      (challenge) => challenge,
    ]
    for (const [index, change] of wrong.entries()) echo(`/wrong/${index}`, change)
    receiver.respond('/wrong/204', 204)
    const paths = [...wrong.map((_, index) => `/wrong/${index}`), '/wrong/204']
    const endpoints = await Promise.all(paths.map((path) => world.unverifiedEndpoint(receiver.url + path)))
    for (let count = 0; count < 20; count += 1) await world.recordEvent('order.paid')
    for (const [index, endpoint] of endpoints.entries()) {
      await until('the first attempt fails', async () => (await outcomes(endpoint)).length > 0)
      assert.deepEqual(new Set(await outcomes(endpoint)), new Set(['UNEXPECTED_RESPONSE']))
      await until('the events are queued', async () => (await world.deliveries(endpoint)).length === 20)
      assert.deepEqual(new Set(typesAt(paths[index] ?? '')), new Set(['endpoint.verification']))
    }
    // The hour ends before one of the next attempts.
    const ids = endpoints.map(({ id }) => id)
    await installation.rows('update cell.webhook_endpoint set challenge_ends_at = now() where id = any($1)', [ids])
    for (const [index, endpoint] of endpoints.entries()) {
      await until('the endpoint is disabled', async () => (await world.read(endpoint)).disabled_reason === 'UNVERIFIED')
      assert.deepEqual(new Set(typesAt(paths[index] ?? '')), new Set(['endpoint.verification']))
      const states = (await world.deliveries(endpoint)).map(({ state }) => state)
      assert.deepEqual(new Set(states), new Set(['DROPPED']))
    }
  })

  test('enabling and pinging an endpoint that is not verified send a new challenge', async () => {
    receiver.respond('/later', 500)
    const endpoint = await world.unverifiedEndpoint(`${receiver.url}/later`)
    const params = { endpointId: endpoint.id }
    await until('the first attempt fails', async () => (await outcomes(endpoint)).length > 0)
    await world.run(disableWebhookEndpoint, params)
    await world.run(enableWebhookEndpoint, params)
    await until('another challenge arrives', () => challengesAt('/later').size === 2)
    echo('/later')
    const ping = await world.run(pingWebhookEndpoint, params)
    assert.equal(ping.event_type, 'endpoint.verification')
    await until('the endpoint is verified', async () => (await world.read(endpoint)).verified_at !== null)
    assert.equal(challengesAt('/later').size, 3)
    assert.equal((await world.run(pingWebhookEndpoint, params)).event_type, 'webhook.ping')
  })

  test('after a change of the URL, events wait for its verification, one attempt is in flight, and the old URL verifies nothing', async () => {
    let release = () => {}
    receiver.respond('/old', (message, response) => {
      release = () => void response.writeHead(200).end(JSON.stringify({ challenge: message.body.data.challenge }))
    })
    const endpoint = await world.unverifiedEndpoint(`${receiver.url}/old`)
    await until('the challenge arrives', () => receiver.at('/old').length === 1)
    receiver.respond('/new', 500)
    await world.run(updateWebhookEndpoint, { endpointId: endpoint.id }, { url: `${receiver.url}/new` })
    for (let count = 0; count < 10; count += 1) await world.recordEvent('order.paid')
    release()
    await until('the new URL is asked', () => challengesAt('/new').size === 1)
    await until('the attempt is stored', async () => (await outcomes(endpoint)).includes('HTTP_ERROR'))
    assert.equal((await world.read(endpoint)).verified_at, null)
    // The next challenge stays unanswered for a while.
    receiver.respond('/new', (message, response) => {
      release = () => void response.writeHead(200).end(JSON.stringify({ challenge: message.body.data.challenge }))
    })
    await world.run(pingWebhookEndpoint, { endpointId: endpoint.id })
    await until('the challenge arrives', () => challengesAt('/new').size === 2)
    await world.recordEvent('order.paid')
    await until('the events are queued', async () => (await world.deliveries(endpoint)).length === 11)
    assert.deepEqual(new Set(typesAt('/new')), new Set(['endpoint.verification']))
    const answer = release
    receiver.respond('/new', 204)
    answer()
    await until('all events arrive', () => typesAt('/new').filter((type) => type === 'order.paid').length === 11)
    assert.deepEqual(typesAt('/old'), ['endpoint.verification'])
  })
})
