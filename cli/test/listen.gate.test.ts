import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import { individual } from '../../service/test/harness/data/bodies.ts'
import { ReferenceWebhook } from '../../service/test/harness/servers/reference-webhook.ts'
import { until } from '../../service/test/harness/wait.ts'
import { CliWorld } from './harness/world.ts'

interface Received {
  url: string
  headers: IncomingHttpHeaders
  body: string
}

describe('listen and trigger', async () => {
  const received: Received[] = []
  /** Statuses of the endpoint's next responses; 204 if the list is empty. */
  const statuses: number[] = []
  let challenges = 0
  let isEchoing = true

  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts).toString()
      const { type, data } = JSON.parse(body || '{}') as { type?: string; data?: { challenge?: string } }
      if (type === 'endpoint.verification') {
        challenges += 1
        return response.end(isEchoing ? JSON.stringify({ challenge: data?.challenge }) : '')
      }
      received.push({ url: request.url ?? '', headers: request.headers, body })
      return response.writeHead(statuses.shift() ?? 204, { location: '/elsewhere' }).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`
  const world = await CliWorld.create()
  after(async () => {
    server.close()
    await world.end()
  })

  const typesReceived = () => received.map(({ body }) => JSON.parse(body).type as string)

  test('events triggered on a real chain arrive signed, each once and in order', async () => {
    const listening = world.cli.start(`listen --forward-to ${url}`)
    await listening.waitForOutput('Webhook secret: ')
    const triggered = await world.cli.json<{ type: string; data: Record<string, string> }>(
      'trigger order.minted --offering $OFFERING',
    )
    assert.equal(triggered.type, 'order.minted')
    const { order_id: order, account_id: account } = triggered.data
    const minted = await world.call('GET', `/offerings/${world.variables['OFFERING']}/orders/${order}`)
    assert.equal(minted.body.status, 'MINTED')
    const [balance] = (await world.call('GET', `/accounts/${account}/wallets/balances`)).body.results
    assert.equal(balance.balance, '100000000', 'the wallet has one token')

    await until('all events are forwarded', () => typesReceived().includes('order.minted'))
    const [, secret = ''] = /(whsec_\S+)/.exec(listening.stderr) ?? []
    // Copied before reading the events, which may not include events forwarded later.
    const forwarded = [...received]
    const { events } = (await world.call('GET', '/events?limit=50')).body
    const ids = events.map(({ id }: { id: string }) => id)
    const first = ids.indexOf(forwarded[0]?.headers['webhook-id'])
    assert.deepEqual(
      forwarded.map(({ headers }) => headers['webhook-id']),
      ids.slice(first, first + forwarded.length),
    )
    assert.ok(typesReceived().includes('account.created'))
    for (const { headers, body } of forwarded) {
      const message = new ReferenceWebhook(secret).verify(body, headers as Record<string, string>) as Record<
        string,
        unknown
      >
      const event = events.find(({ id }: { id: string }) => id === message['id'])
      const { created_at: timestamp, ...rest } = event
      assert.deepEqual(message, { ...rest, timestamp })
      assert.equal(headers['webhook-id'], event.id)
      assert.throws(() => new ReferenceWebhook(secret).verify(`${body} `, headers as Record<string, string>))
    }
    const { code, stdout } = await listening.interrupt()
    assert.equal(code, 130)
    assert.match(stdout, /order\.minted +MINTED \S+ +\[204\] \d+ ms/)

    assert.equal(challenges, 1)
    assert.doesNotMatch(listening.stderr, /did not echo/)

    isEchoing = false
    const again = world.cli.start(`listen --forward-to ${url}`)
    await again.waitForOutput(secret)
    await again.waitForOutput('Your endpoint did not echo the challenge')
    await again.interrupt()
  })

  test('a failed delivery is retried with the same webhook-id, no redirect is followed, and the fourth attempt is the last', async () => {
    await world.create('/accounts', individual)
    received.length = 0
    statuses.push(500, 302, 204)
    const listening = world.cli.start(`listen --forward-to ${url} --types account.created --from-sequence 1 --json`)
    await listening.waitForOutput('"type":"account.created"')
    const { stdout } = await listening.interrupt()
    const [first] = stdout.split('\n').map((line) => JSON.parse(line || '{}'))
    assert.deepEqual([first.status, first.attempts], [204, 3])
    assert.deepEqual(new Set(received.map((one) => one.url)), new Set(['/webhooks']))
    assert.deepEqual(new Set(typesReceived()), new Set(['account.created']))
    assert.equal(new Set(received.slice(0, 3).map(({ headers }) => headers['webhook-id'])).size, 1)

    const closed = createServer().listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const { port } = closed.address() as AddressInfo
    await new Promise((resolve) => closed.close(resolve))
    const unreachable = world.cli.start(
      `listen --forward-to http://127.0.0.1:${port} --types account.created --from-sequence 1`,
    )
    await unreachable.waitForOutput('[ECONNREFUSED]')
    await unreachable.waitForOutput('4 attempts, gave up')
    await unreachable.interrupt()
  })

  test('events tail shows new events', async () => {
    const tail = world.cli.start('events tail --json --types account.created,account.updated')
    await tail.waitForOutput('Waiting for events')
    const { data } = await world.cli.json<{ data: { account_id: string } }>('trigger account.updated')
    await tail.waitForOutput('account.updated')
    const { code, stdout } = await tail.interrupt()
    assert.equal(code, 130)
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.deepEqual(
      events.map(({ type, data: { account_id } }) => `${type} ${account_id}`),
      [`account.created ${data.account_id}`, `account.updated ${data.account_id}`],
    )
  })

  test('logs --follow shows new requests, except its own', async () => {
    const logs = world.cli.start('logs --follow')
    await world.cli.run(`offerings get ${crypto.randomUUID()}`)
    await logs.waitForOutput('GET /api/offerings/:offeringId  not_found')
    const { stdout } = await logs.interrupt()
    assert.match(
      stdout,
      /^\d\d:\d\d:\d\d {2}404 +\d+ ms {2}[0-9a-f-]{36} {2}GET \/api\/offerings\/:offeringId {2}not_found$/m,
    )
    assert.doesNotMatch(stdout, /GET \/api\/requests/)
    const failed = (await world.cli.run('logs --failed --json')).stdout.trim().split('\n')
    assert.ok(failed.every((line) => JSON.parse(line).status >= 400))
  })

  test('the error for an event that cannot be triggered explains why', async () => {
    const { code, stderr } = await world.cli.run('trigger offering.opened')
    assert.equal(code, 2)
    assert.match(stderr, /only an operator can cause it/)
  })

  test('trigger ends the mint failure of a token also after an interruption', async () => {
    const running = world.cli.start('trigger order.mint_preconditions_lost --debug')
    const mintFailure = `POST /simulations/offerings/${world.variables['OFFERING']}/mint-failure 200`
    await running.waitForOutput(mintFailure)
    const { code, stderr } = await running.interrupt()
    assert.equal(code, 130)
    assert.equal(stderr.split(mintFailure).length - 1, 2)
  })

  test('every listed event can be triggered, also after those that make mints fail', async () => {
    const all = await world.cli.json<string[]>('trigger --list')
    const trigger = async (type: string) => (await world.cli.json<{ type: string }>(`trigger ${type}`)).type
    const failing = ['order.mint_preconditions_lost', 'order.mint_failed']
    for (const type of failing) assert.equal(await trigger(type), type)
    const others = all.filter((type) => !failing.includes(type))
    assert.ok(others.includes('order.minted'))
    assert.deepEqual(await Promise.all(others.map(trigger)), others)
  })
})
