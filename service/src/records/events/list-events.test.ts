import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { company, individual } from '../../../test/harness/data/bodies.ts'
import { TestTenant } from '../../../test/harness/data/tenant.ts'
import { assertError } from '../../../test/harness/installation/api-client.ts'
import { sharedInstallation } from '../../../test/harness/installation/shared-installation.ts'
import type { IssuedCredential } from '../../access/credentials/issue-credential.ts'
import { scopes } from '../../platform/api/declare/scopes.ts'
import { Placement } from '../../platform/postgres/cells/placement.ts'
import { inTenantTransaction } from '../../platform/postgres/cells/tenant-transaction.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { recordEvent } from './event.sql.ts'
import { type EventType, eventTypes } from './event-types.ts'

describe('GET /events', async () => {
  let tenant: TestTenant

  const installation = await sharedInstallation()
  after(() => installation.end())
  const api = await installation.startApi()
  beforeEach(async () => {
    tenant = await TestTenant.create(installation, api)
  })

  const inTenant = (work: (tx: Transaction) => Promise<void>, tenantId = tenant.id) =>
    inTenantTransaction(
      { databases: installation.databases, placement: new Placement(installation.databases) },
      { tenantId, access: 'write' },
      work,
    )
  const read = async (token: string, query = '') => {
    await installation.numberEvents()
    const response = await api.call('GET', `/events${query}`, { token })
    assert.equal(response.status, 200, response.text)
    return response.body
  }
  const typesOf = ({ events }: { events: { type: EventType }[] }) => events.map(({ type }) => type)

  /** Records one event of every type; those of a credential belong to this one. */
  const recordAll = ({ clientId }: Pick<IssuedCredential, 'clientId'>) =>
    inTenant(async (tx) => {
      for (const type of Object.keys(eventTypes) as EventType[])
        await recordEvent(tx, tenant.id, { type, data: { client_id: clientId } })
    })

  test('an event has a sequence number, a version and data, and the page has the last sequence number', async () => {
    const accountId = await tenant.account()
    const { events, last_sequence, next } = await read(tenant.token)
    const [{ id, created_at, ...event }] = events
    assert.deepEqual(event, {
      sequence: 1,
      type: 'account.created',
      api_version: '2026-07-02',
      data: { account_id: accountId, type: 'INDIVIDUAL', kyc_status: 'NEW', kyb_status: 'NEW' },
    })
    assert.match(id, /^[0-9a-f-]{36}$/)
    assert.ok(Math.abs(Date.now() - Date.parse(created_at)) < 60_000)
    assert.deepEqual([events.length, last_sequence, next], [1, 1, null])
  })

  for (const scope of scopes)
    test(`a token with only ${scope} sees events of that scope and of its credential, and no others`, async () => {
      const mine = await installation.issueCredential(tenant.id, { requestsPerMinute: 1_000 })
      const another = await installation.issueCredential(tenant.id)
      await recordAll(mine)
      await inTenant((tx) =>
        recordEvent(tx, tenant.id, { type: 'credential.rotated', data: { client_id: another.clientId } }),
      )
      const token = await api.token(mine, [scope])
      if (!scope.endsWith('.read')) {
        assertError(await api.call('GET', '/events', { token }), 403, 'insufficient_scope')
        return
      }
      const isReadable = (of: string) => of === scope || of === 'own credential' || of === 'any scope'
      const seen = await read(token, '?limit=50')
      const expected = Object.entries(eventTypes).filter(([, of]) => isReadable(of))
      assert.deepEqual(
        typesOf(seen),
        expected.map(([type]) => type),
      )
      assert.equal(seen.last_sequence, Object.keys(eventTypes).length + 1)
      for (const [type, of] of Object.entries(eventTypes)) {
        const ofType = typesOf(await read(token, `?type=${type}`))
        assert.deepEqual(ofType, isReadable(of) ? [type] : [], type)
      }
    })

  test('a token with several scopes sees the events of all of them in sequence', async () => {
    const credential = await installation.issueCredential(tenant.id)
    await recordAll(credential)
    const token = await api.token(credential, ['order.read', 'account.read'])
    const seen = await read(token, '?limit=50')
    const readable: readonly string[] = ['order.read', 'account.read', 'own credential', 'any scope']
    assert.deepEqual(
      typesOf(seen),
      Object.entries(eventTypes)
        .filter(([, scope]) => readable.includes(scope))
        .map(([type]) => type),
    )
  })

  test('another tenant sees nothing, and has separate sequence numbers', async () => {
    await tenant.account()
    const other = await TestTenant.create(installation, api)
    assert.deepEqual(await read(other.token), { events: [], last_sequence: 0, next: null, restored: null })
    await other.account()
    const seen = await read(other.token)
    assert.deepEqual([seen.events.length, seen.events[0].sequence], [1, 1])
  })

  test('following next returns every event once and in order, whatever the limit', async () => {
    for (let index = 0; index < 25; index += 1) await tenant.account(index % 2 ? individual : company)
    for (const [query, pages] of [
      ['', 3],
      ['?limit=12', 3],
      ['?limit=25', 1],
      ['?type=account.created&limit=24', 2],
    ] as const) {
      const seen: number[] = []
      let pageCount = 0
      let next: string | null = query
      while (next !== null) {
        const page: { events: { sequence: number }[]; next: string | null } = await read(tenant.token, next)
        seen.push(...page.events.map(({ sequence }) => sequence))
        pageCount += 1
        next = page.next && new URL(page.next).search
      }
      assert.deepEqual([seen, pageCount], [Array.from({ length: 25 }, (_, index) => index + 1), pages], query)
    }
    assert.deepEqual((await read(tenant.token, '?after=25')).events, [])
    assert.equal((await read(tenant.token, '?after=20')).events.length, 5)
    assert.equal((await read(tenant.token, '?after=9007199254740991')).last_sequence, 25)
  })

  test('400: an invalid query parameter', async () => {
    for (const query of ['after=-1', 'after=x', 'after=1.5', 'limit=9', 'limit=51', 'type=account.deleted', 'offset=1'])
      assertError(await tenant.get(`/events?${query}`), 400, 'validation_failed')
  })

  test('a change that is rolled back has no event; a request repeated with its idempotency key has one', async () => {
    await assert.rejects(
      inTenant(async (tx) => {
        await recordEvent(tx, tenant.id, { type: 'order.created', data: {} })
        throw new Error('on purpose')
      }),
      /on purpose/,
    )
    const key = crypto.randomUUID()
    const [first, second] = [
      await tenant.post('/accounts', individual, key),
      await tenant.post('/accounts', individual, key),
    ]
    assert.equal(second.headers.get('idempotency-replayed'), 'true')
    const { events, last_sequence } = await read(tenant.token)
    assert.deepEqual([events.length, events[0].data.account_id, last_sequence], [1, first.body.id, 1])
  })

  test('creating an order twice with one idempotency key records one event', async () => {
    const [offeringId, accountId] = [await tenant.fixtures.offering(tenant.id), await tenant.account()]
    const key = crypto.randomUUID()
    const order = { account_id: accountId, units: '1000' }
    for (let time = 0; time < 2; time += 1)
      assert.equal((await tenant.post(`/offerings/${offeringId}/orders`, order, key)).status, 201)
    const orderEvents = typesOf(await read(tenant.token)).filter((type) => type.startsWith('order.'))
    assert.deepEqual(orderEvents, ['order.created'])
  })
})
