import assert from 'node:assert/strict'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import fastify from 'fastify'
import { ReferenceWebhook } from '../../service/test/harness/servers/reference-webhook.ts'
import { type WebhookFailure, Webhooks } from '../src/sdk.ts'

const secret = `whsec_${btoa('a secret of 24 bytes or so')}`
const other = `whsec_${btoa('another secret of 24 bytes')}`
const event = {
  id: 'e1',
  sequence: 1,
  type: 'order.paid',
  timestamp: '2026-07-02T10:00:00.000Z',
  data: { units: '5' },
}
const body = JSON.stringify({ ...event, note: 'Ä€😀' })
const webhooks = new Webhooks(secret)

const fails = (reason: WebhookFailure, message = /./) => ({ name: 'WebhookError', reason, message })
const request = (headers: Record<string, string>, content = body) =>
  new Request('https://example.com/hook', { method: 'POST', headers, body: content })

describe('webhooks', () => {
  test('unwrap accepts the signatures of the standardwebhooks library, and the library accepts ours', async () => {
    const now = new Date()
    const reference = new ReferenceWebhook(secret)
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': reference.sign('msg_1', now, body),
    }
    assert.deepEqual(await webhooks.unwrap(request(headers)), JSON.parse(body))
    const ours = await webhooks.sign(body, { id: 'msg_1', at: now })
    assert.deepEqual(ours, headers)
    assert.deepEqual(reference.verify(body, ours), JSON.parse(body))
  })

  test('with several signatures or secrets, one match is enough', async () => {
    const both = await webhooks.sign(body, { secret: [other, secret] })
    assert.equal(both['webhook-signature'].split(' ').length, 2)
    assert.equal((await webhooks.unwrap(request(both))).id, 'e1')
    const rotated = new Webhooks([other, secret])
    assert.equal((await rotated.unwrap(request(await webhooks.sign(body)))).id, 'e1')
    const odd = { ...both, 'webhook-signature': `v1a,abc v1,%%% v1, ${both['webhook-signature']}` }
    assert.equal((await webhooks.unwrap(request(odd))).id, 'e1')
  })

  test('receive echoes the challenge of a verification, passes on every other message, and rejects forged ones', async () => {
    const seen: string[] = []
    const receive = async (content: string, change: Record<string, string> = {}) =>
      webhooks.receive(request({ ...(await webhooks.sign(content)), ...change }, content), ({ id }) => seen.push(id))
    const challenge = { type: 'endpoint.verification', data: { challenge: 'a "challenge"' }, id: 'v1' }
    const echoed = await receive(JSON.stringify(challenge))
    assert.deepEqual([echoed.status, JSON.parse(echoed.body)], [200, { challenge: 'a "challenge"' }])
    const { status, headers, body: empty } = await receive(body)
    assert.equal(new Response(empty, { status, headers }).status, 200)
    assert.equal((await receive(body, { 'webhook-signature': 'v1,AAAA' })).status, 401)
    assert.equal((await receive(JSON.stringify(challenge), { 'webhook-signature': 'v1,AAAA' })).status, 401)
    assert.deepEqual(seen, ['e1'])
    const failing = webhooks.receive(request(await webhooks.sign(body)), () => Promise.reject(new Error('mine')))
    await assert.rejects(failing, { message: 'mine' })
  })

  test('the error has the reason', async () => {
    const headers = await webhooks.sign(body)
    await assert.rejects(webhooks.unwrap(request(headers), { secret: other }), fails('wrong_secret'))
    await assert.rejects(webhooks.unwrap(request(headers, `${body} `)), fails('wrong_secret'))
    await assert.rejects(webhooks.unwrap(request({ ...headers, 'webhook-id': 'x' })), fails('wrong_secret'))
    await assert.rejects(webhooks.unwrap(request({ ...headers, 'webhook-signature': 'v1,' })), fails('wrong_secret'))
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      const { [name]: _, ...rest } = headers as Record<string, string>
      await assert.rejects(webhooks.unwrap(request(rest)), fails('header_missing', new RegExp(name)))
    }
    await assert.rejects(webhooks.unwrap(request({ ...headers, 'webhook-timestamp': 'now' })), fails('header_missing'))
    await assert.rejects(webhooks.unwrap(request(headers), { secret: 'whsec_%' }), fails('secret_malformed'))
    await assert.rejects(new Webhooks().unwrap(request(headers)), fails('secret_malformed'))
    const text = await webhooks.sign('no JSON')
    await assert.rejects(webhooks.unwrap(request(text, 'no JSON')), fails('body_not_json'))
  })

  test('a timestamp may be up to five minutes in the past or in the future', async () => {
    const at = new Date('2026-07-02T10:00:00Z')
    const headers = await webhooks.sign(body, { at })
    const after = (seconds: number) => new Date(at.getTime() + seconds * 1000)
    for (const seconds of [-300, 300]) await webhooks.unwrap(request(headers), { now: after(seconds) })
    await assert.rejects(webhooks.unwrap(request(headers), { now: after(301) }), fails('clock', /301 s old/))
    await assert.rejects(webhooks.unwrap(request(headers), { now: after(-301) }), fails('clock', /301 s ahead/))
  })

  test('the error for a body that was already read or parsed explains the fix', async () => {
    const headers = await webhooks.sign(body)
    const used = request(headers)
    await used.text()
    await assert.rejects(webhooks.unwrap(used), fails('raw_body_missing', /already read/))
    const parsed = { headers, body: JSON.parse(body) }
    await assert.rejects(webhooks.unwrap(parsed), fails('raw_body_missing', /express\.raw/))
    await assert.rejects(webhooks.unwrap({ headers }), fails('raw_body_missing'))
  })

  test('Fastify: works with a parser that keeps the bytes, and fails with a clear error without', async () => {
    for (const [isRaw, expected] of [
      [true, 'e1'],
      [false, 'raw_body_missing'],
    ] as const) {
      const app = fastify()
      if (isRaw)
        app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_, bytes, done) => done(null, bytes))
      app.post('/hook', async (received) =>
        webhooks.unwrap(received).then(
          ({ id }) => id,
          ({ reason }) => reason,
        ),
      )
      const headers = { 'content-type': 'application/json', ...(await webhooks.sign(body)) }
      const response = await app.inject({ method: 'POST', url: '/hook', headers, payload: body })
      assert.equal(response.body, expected)
      await app.close()
    }
  })

  test('Express and Node: works with the body of express.raw and with an unread request', async () => {
    const unwrapped: string[] = []
    const server = createServer((received: IncomingMessage & { body?: unknown }, response) => {
      // Like express.raw: stores the raw body in request.body.
      const asExpress = async () => {
        const chunks: Buffer[] = []
        for await (const chunk of received) chunks.push(chunk as Buffer)
        received.body = Buffer.concat(chunks)
      }
      const ready = received.url === '/express' ? asExpress() : Promise.resolve()
      void ready
        .then(() => webhooks.unwrap(received))
        .then(({ id }) => unwrapped.push(`${received.url} ${id}`))
        .finally(() => response.end())
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    for (const path of ['express', 'node'])
      await fetch(`http://127.0.0.1:${port}/${path}`, { method: 'POST', headers: await webhooks.sign(body), body })
    assert.deepEqual(unwrapped, ['/express e1', '/node e1'])
    server.closeAllConnections()
    server.close()
  })
})
