import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { individual } from '../../service/test/harness/bodies.ts'
import { until } from '../../service/test/harness/wait.ts'
import { CliWorld } from './harness/world.ts'

interface Received {
  headers: IncomingHttpHeaders
  body: string
}

describe('listen and trigger', () => {
  let world: CliWorld
  let server: Server
  let url: string
  const received: Received[] = []
  /** What the endpoint answers to the next requests; 204 when there is nothing left. */
  const answers: number[] = []

  before(async () => {
    server = createServer((request, response) => {
      const parts: Buffer[] = []
      request.on('data', (part: Buffer) => parts.push(part))
      request.on('end', () => {
        received.push({ headers: request.headers, body: Buffer.concat(parts).toString() })
        response.writeHead(answers.shift() ?? 204).end()
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`
    world = await CliWorld.create()
  })
  after(async () => {
    server.close()
    await world.end()
  })

  const typesReceived = () => received.map(({ body }) => JSON.parse(body).type as string)

  test('what is triggered on a real chain arrives signed, each event once and in order', async () => {
    const listening = world.cli.start(`listen --forward-to ${url}`)
    await listening.says('The secret of your endpoint is ')
    const triggered = await world.cli.json<{ type: string; data: Record<string, string> }>(
      'trigger order.minted --offering $OFFERING',
    )
    assert.equal(triggered.type, 'order.minted')
    const { order_id: order, account_id: account } = triggered.data
    const minted = await world.call('GET', `/offerings/${world.variables['OFFERING']}/orders/${order}`)
    assert.equal(minted.body.status, 'MINTED')
    const [balance] = (await world.call('GET', `/accounts/${account}/wallets/balances`)).body.results
    assert.equal(balance.balance, '100000000', 'one token is in the wallet')

    await until('all of it was forwarded', () => typesReceived().includes('order.minted'), 20_000)
    const [, secret = ''] = /(whsec_\S+)/.exec(listening.stderr) ?? []
    // Taken before the events are read: what is forwarded after that may not be among them.
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
      const message = new Webhook(secret).verify(body, headers as Record<string, string>) as Record<string, unknown>
      const event = events.find(({ id }: { id: string }) => id === message['id'])
      const { created_at: timestamp, ...rest } = event
      assert.deepEqual(message, { ...rest, timestamp })
      assert.equal(headers['webhook-id'], event.id)
      assert.throws(() => new Webhook(secret).verify(`${body} `, headers as Record<string, string>))
    }
    const { code, stdout } = await listening.interrupt()
    assert.equal(code, 130)
    assert.match(stdout, /order\.minted +MINTED \S+ +\[204\] \d+ ms/)

    const again = world.cli.start(`listen --forward-to ${url}`)
    await again.says(secret)
    await again.interrupt()
  })

  test('an endpoint that fails is tried again with the same id, and given up in the end', async () => {
    await world.make('/accounts', individual)
    received.length = 0
    answers.push(500, 302, 204)
    const listening = world.cli.start(`listen --forward-to ${url} --types account.created --from-sequence 1 --json`)
    await listening.says('"type":"account.created"')
    const { stdout } = await listening.interrupt()
    const [first] = stdout.split('\n').map((line) => JSON.parse(line || '{}'))
    assert.deepEqual([first.status, first.attempts], [204, 3])
    assert.deepEqual(new Set(typesReceived()), new Set(['account.created']))
    assert.equal(new Set(received.slice(0, 3).map(({ headers }) => headers['webhook-id'])).size, 1)

    const closed = createServer().listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const { port } = closed.address() as AddressInfo
    await new Promise((resolve) => closed.close(resolve))
    const refused = world.cli.start(
      `listen --forward-to http://127.0.0.1:${port} --types account.created --from-sequence 1`,
    )
    await refused.says('[ECONNREFUSED]')
    await refused.says('4 attempts, given up')
    await refused.interrupt()
  })

  test('events tail shows what happens from now on', async () => {
    const tail = world.cli.start('events tail --json --types account.created,account.updated')
    await tail.says('Waiting for events')
    const { data } = await world.cli.json<{ data: { account_id: string } }>('trigger account.updated')
    await tail.says('account.updated')
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

  test('logs --follow shows requests as they come, and not its own', async () => {
    const logs = world.cli.start('logs --follow')
    await world.cli.run(`offerings get ${crypto.randomUUID()}`)
    await logs.says('GET /api/offerings/:offeringId  not_found')
    const { stdout } = await logs.interrupt()
    assert.match(
      stdout,
      /^\d\d:\d\d:\d\d {2}404 +\d+ ms {2}[0-9a-f-]{36} {2}GET \/api\/offerings\/:offeringId {2}not_found$/m,
    )
    assert.doesNotMatch(stdout, /GET \/api\/requests/)
    const refused = (await world.cli.run('logs --refused --json')).stdout.trim().split('\n')
    assert.ok(refused.every((line) => JSON.parse(line).status >= 400))
  })

  test('what cannot be triggered says why', async () => {
    const { code, stderr } = await world.cli.run('trigger offering.opened')
    assert.equal(code, 2)
    assert.match(stderr, /only an operator brings it about/)
  })

  test('a token that was made to fail is mended also when somebody interrupts', async () => {
    const running = world.cli.start('trigger order.gate_lost --debug')
    const mintFailure = `POST /simulations/offerings/${world.variables['OFFERING']}/mint-failure 200`
    await running.says(mintFailure)
    const { code, stderr } = await running.interrupt()
    assert.equal(code, 130)
    assert.equal(stderr.split(mintFailure).length - 1, 2)
  })

  test('everything that can be triggered happens; a token that was made to fail is mended', async () => {
    const can = await world.cli.json<string[]>('trigger --list')
    const happened = async (type: string) => (await world.cli.json<{ type: string }>(`trigger ${type}`)).type
    const breaking = ['order.gate_lost', 'order.mint_failed']
    for (const type of breaking) assert.equal(await happened(type), type)
    const others = can.filter((type) => !breaking.includes(type))
    assert.ok(others.includes('order.minted'))
    assert.deepEqual(await Promise.all(others.map(happened)), others)
  })
})
