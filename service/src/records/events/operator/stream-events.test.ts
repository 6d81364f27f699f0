import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { StreamFollower, StreamReader } from '../../../../test/harness/callers/stream-reader.ts'
import { TestInstallation } from '../../../../test/harness/installation/test-installation.ts'
import type { TestOperator } from '../../../../test/harness/installation/test-users.ts'
import { pluck } from '../../../../test/harness/pluck.ts'
import { until } from '../../../../test/harness/wait.ts'
import { Placement } from '../../../platform/postgres/cells/placement.ts'
import { inTenantTransaction } from '../../../platform/postgres/cells/tenant-transaction.ts'
import { recordEvents } from '../event.sql.ts'

describe('the stream of events', async () => {
  const installation = await TestInstallation.create()
  after(() => installation.end())
  const api = await installation.startOperatorApiProcess({ STREAMS_MAX: '12', DRAIN_SECONDS: '1' })
  const tenantId = await installation.createTenant('A')
  const operator = await installation.createOperator(tenantId)

  /** Records events of one tenant and numbers those of all tenants. */
  async function record(count: number, of = tenantId, padding = ''): Promise<void> {
    const { databases } = installation
    await inTenantTransaction(
      { databases, placement: new Placement(databases) },
      { tenantId: of, access: 'write' },
      (tx) =>
        recordEvents(
          tx,
          of,
          Array.from({ length: count }, (_, index) =>
            index % 2 === 0
              ? ({ type: 'order.paid', data: { order_id: crypto.randomUUID(), padding } } as const)
              : ({ type: 'unassigned_payment.opened', data: { padding } } as const),
          ),
        ),
    )
    await installation.numberEvents()
  }

  const lastSequence = async (of = tenantId): Promise<number> => {
    const rows = await installation.rows(
      'select last_sequence::int as last from cell.event_head where tenant_id = $1',
      [of],
    )
    return rows[0]?.last ?? 0
  }
  const open = (call: Parameters<typeof StreamReader.open>[1] = { token: operator.token }) =>
    StreamReader.open(api.baseUrl, call)
  const idsOf = ({ messages }: StreamReader) => messages.filter(({ event }) => event.includes('.')).map(({ id }) => id)
  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

  test('starts with the current position, then sends events of integrators and of operators as they happen', async () => {
    await record(3)
    const start = await lastSequence()
    const stream = await open()
    assert.equal(stream.headers['content-type'], 'text/event-stream; charset=utf-8')
    await until('the stream is ready', () => stream.messages.length === 1)
    const [ready] = stream.messages
    assert.deepEqual([ready?.event, ready?.id, ready?.data], ['ready', start, { last_sequence: start }])
    await record(2)
    await until('both events arrived', () => stream.messages.length === 3)
    assert.deepEqual(
      stream.messages.slice(1).map(({ id, event, data }) => [id, event, data.sequence, data.type]),
      [
        [start + 1, 'order.paid', start + 1, 'order.paid'],
        [start + 2, 'unassigned_payment.opened', start + 2, 'unassigned_payment.opened'],
      ],
    )
    stream.close()
  })

  test('continues after Last-Event-ID, or after the given position; another tenant sees nothing of it', async () => {
    const start = await lastSequence()
    await record(5)
    const other = await installation.createOperator(await installation.createTenant('B'))
    const [resumed, after_, foreign] = [
      await open({ token: operator.token, headers: { 'last-event-id': String(start) }, query: '?after=0' }),
      await open({ token: operator.token, query: `?after=${start + 3}` }),
      await open({ token: other.token, query: '?after=0' }),
    ]
    await until('all arrived', () => idsOf(resumed).length === 5 && idsOf(after_).length === 2)
    assert.deepEqual(idsOf(resumed), range(start + 1, start + 5))
    assert.deepEqual(idsOf(after_), [start + 4, start + 5])
    assert.deepEqual(idsOf(foreign), [])
    for (const stream of [resumed, after_, foreign]) stream.close()
  })

  test('asks a listener that missed too much, or whose position is unknown, to start again', async () => {
    const head = await lastSequence()
    await installation.rows('delete from cell.event where tenant_id = $1', [tenantId])
    const [unknown, old] = [
      await open({ token: operator.token, query: `?after=${head + 1_000}` }),
      await open({ token: operator.token, query: '?after=0' }),
    ]
    for (const stream of [unknown, old]) {
      await until('the reset arrived', () => stream.messages.length === 2)
      const [, reset] = stream.messages
      assert.deepEqual([reset?.event, reset?.id, reset?.data], ['reset', head, { last_sequence: head }])
      stream.close()
    }
  })

  test('sends each event once and in order through reconnects', async () => {
    const busyId = await installation.createTenant('C')
    const followers = await Promise.all(
      [1, 2, 3, 4].map(async () => {
        const { token } = await installation.createOperator(busyId)
        return new StreamFollower(api.baseUrl, token)
      }),
    )
    await until('all are connected', () => followers.every(({ isConnected }) => isConnected))
    for (let cut = 0; cut < 20; cut += 1) {
      const follower = followers[cut % followers.length]
      await until('it is connected', () => follower?.isConnected === true)
      await record(7, busyId)
      await sleep(Math.random() * 100)
      follower?.cut()
    }
    const last = await lastSequence(busyId)
    await until('all have everything', () => followers.every(({ received }) => received.at(-1)?.id === last))
    for (const follower of followers) {
      assert.deepEqual(pluck(follower.received, 'id'), range(1, last))
      await follower.stop()
    }
  })

  test('needs a caller like any operation: token, duty read, own page; and a valid position', async () => {
    const blind = await installation.createOperator(tenantId, { duties: ['team'] })
    assert.equal((await open({})).status, 401)
    assert.equal((await open({ token: blind.token })).status, 403)
    const foreignPage = { 'x-console': '', 'sec-fetch-site': 'cross-site' }
    assert.equal((await open({ cookie: operator.cookie, headers: foreignPage })).status, 403)
    assert.equal((await open({ token: operator.token, headers: { 'last-event-id': 'x' } })).status, 400)
    assert.equal((await open({ token: operator.token, query: '?after=-1' })).status, 400)
    const own = await open({ cookie: operator.cookie })
    assert.equal(own.status, 200)
    assert.match(String(own.headers['ratelimit']), /"user"/)
    own.close()
    await own.ended
  })

  test('a person may have five, a tenant half of a process limit; open streams do not affect others', async () => {
    const person = await installation.createOperator(tenantId)
    const streams = await Promise.all([1, 2, 3, 4, 5].map(() => open({ token: person.token })))
    const sixth = await open({ cookie: person.cookie })
    assert.equal(sixth.status, 429)
    assert.match(sixth.text, /too_many_streams/)
    const others = await Promise.all([installation.createOperator(tenantId), installation.createOperator(tenantId)])
    await until('the tenant has no room left', async () => {
      const results = await Promise.all(others.map(({ token }) => open({ token })))
      streams.push(...results.filter(({ status }) => status === 200))
      return results.some(({ status }) => status === 429)
    })
    const strangers = await Promise.all(
      ['B', 'C'].map(async (name) => installation.createOperator(await installation.createTenant(name))),
    )
    await until('the process has no room left', async () => {
      const results = await Promise.all(strangers.map(({ token }) => open({ token })))
      streams.push(...results.filter(({ status }) => status === 200))
      return results.some(({ status }) => status === 503)
    })
    assert.ok(streams.length > 12 / 2 && streams.length <= 12, `${streams.length} of 12 streams`)
    assert.equal((await api.call('GET', '/summary', { token: person.token })).status, 200)
    for (const stream of streams) stream.close()
    await until('there is room again', async () => {
      const again = await open({ token: person.token })
      again.close()
      return again.status === 200
    })
  })

  test('ends within 30 s after its token is revoked, its session ends or its duty is taken away', async () => {
    const users = await Promise.all([1, 2, 3].map(() => installation.createOperator(tenantId)))
    const [byToken, bySession, byDuty] = users as [TestOperator, TestOperator, TestOperator]
    const kept = await open()
    const streams = await Promise.all([
      open({ token: byToken.token }),
      open({ cookie: bySession.cookie }),
      open({ token: byDuty.token }),
    ])
    await installation.owner(async (client) => {
      await client.query('update directory.personal_token set revoked_at = now() where id = $1', [byToken.tokenId])
      await client.query('update directory.operator_session set revoked_at = now() where id = $1', [
        bySession.sessionId,
      ])
      await client.query(`delete from directory.operator_duty where user_id = $1 and duty = 'read'`, [byDuty.userId])
    })
    const cut = performance.now()
    await Promise.all(streams.map(({ ended }) => ended))
    assert.ok(performance.now() - cut < 30_000)
    assert.equal(await Promise.race([kept.ended, Promise.resolve('open')]), 'open')
    kept.close()
  })

  test('a listener that does not read is disconnected, and another one of the tenant misses nothing', async () => {
    const start = await lastSequence()
    const stuck = connect({ host: '127.0.0.1', port: Number(new URL(api.baseUrl).port) })
    stuck.on('error', () => undefined)
    const closed = new Promise((resolve) => stuck.once('close', resolve))
    stuck.write(
      `GET /operator/events/stream HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${operator.token}\r\n\r\n`,
    )
    stuck.once('data', () => stuck.pause())
    const reader = await open({ token: operator.token, query: `?after=${start}` })
    await until('the stuck listener is connected', () => stuck.isPaused())
    // More than fits into the buffers of a connection on this host.
    for (let round = 0; round < 12; round += 1) {
      await record(250, tenantId, 'x'.repeat(4_000))
      await until('it was sent', async () => reader.lastId === (await lastSequence()))
    }
    stuck.resume()
    await closed
    assert.deepEqual(idsOf(reader), range(start + 1, await lastSequence()))
    reader.close()
  })

  test('ends when the process begins to drain, and the process stops without waiting for it', async () => {
    const stream = await open()
    await until('the stream is ready', () => stream.messages.length === 1)
    const exited = api.process.stop()
    await stream.ended
    assert.equal(await exited, 0, api.process.output.slice(-10).join('\n'))
  })
})
