import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import { individual } from '../../service/test/harness/data/bodies.ts'
import { isSignedWith, WebhookReceiver } from '../../service/test/harness/servers/webhook-receiver.ts'
import { until } from '../../service/test/harness/wait.ts'
import { CliWorld } from './harness/world.ts'

describe('listen and trigger', async () => {
  const receiver = await WebhookReceiver.open()
  const url = `${receiver.url}/webhooks`
  /** Statuses of the endpoint's next responses; 204 if the list is empty. */
  const statuses: number[] = []
  receiver.respond('/webhooks', (_, response) => {
    response.writeHead(statuses.shift() ?? 204, { location: '/elsewhere' }).end()
  })
  const world = await CliWorld.create()
  after(async () => {
    await receiver.close()
    await world.end()
  })

  const typesReceived = () => receiver.messages.map(({ body }) => body.type as string)

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
    const forwarded = [...receiver.messages]
    const { events } = (await world.call('GET', '/events?limit=50')).body
    const ids = events.map(({ id }: { id: string }) => id)
    const first = ids.indexOf(forwarded[0]?.id)
    assert.deepEqual(
      forwarded.map(({ id }) => id),
      ids.slice(first, first + forwarded.length),
    )
    assert.ok(typesReceived().includes('account.created'))
    for (const message of forwarded) {
      const { created_at: timestamp, ...rest } = events.find(({ id }: { id: string }) => id === message.body.id)
      assert.deepEqual(message.body, { ...rest, timestamp })
      assert.equal(message.id, rest.id)
      assert.ok(isSignedWith(secret, message))
      assert.ok(!isSignedWith(secret, { ...message, text: `${message.text} ` }))
    }
    const { code, stdout } = await listening.interrupt()
    assert.equal(code, 130)
    assert.match(stdout, /order\.minted +MINTED \S+ +\[204\] \d+ ms/)

    assert.equal(receiver.challenges, 1)
    assert.doesNotMatch(listening.stderr, /did not echo/)

    receiver.seesVerifications = true
    const again = world.cli.start(`listen --forward-to ${url}`)
    await again.waitForOutput(secret)
    await again.waitForOutput('Your endpoint did not echo the challenge')
    await again.interrupt()
  })

  test('a failed delivery is retried with the same webhook-id, no redirect is followed, and the fourth attempt is the last', async () => {
    await world.create('/accounts', individual)
    receiver.seesVerifications = false
    receiver.messages.length = 0
    statuses.push(500, 302, 204)
    const listening = world.cli.start(`listen --forward-to ${url} --types account.created --from-sequence 1 --json`)
    await listening.waitForOutput('"type":"account.created"')
    const { stdout } = await listening.interrupt()
    const [first] = stdout.split('\n').map((line) => JSON.parse(line || '{}'))
    assert.deepEqual([first.status, first.attempts], [204, 3])
    assert.deepEqual(new Set(receiver.messages.map(({ path }) => path)), new Set(['/webhooks']))
    assert.deepEqual(new Set(typesReceived()), new Set(['account.created']))
    assert.equal(new Set(receiver.messages.slice(0, 3).map(({ id }) => id)).size, 1)

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
