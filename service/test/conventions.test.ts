import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { operations } from '../src/operations.ts'
import { individual } from './harness/data/bodies.ts'
import { Fixtures } from './harness/data/fixtures.ts'
import { createWorld, type World } from './harness/data/world.ts'
import { assertError } from './harness/installation/api-client.ts'
import { TestInstallation } from './harness/installation/test-installation.ts'
import { DistributionRows } from './harness/money/distribution-rows.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

describe('conventions of every response', async () => {
  const installation = await TestInstallation.create()
  after(() => installation.end())
  const api = await installation.startApi()
  const world = await createWorld(installation, api, 'A')
  await new Fixtures(installation).pay(world.tenantId, world.orderId, '2026-07-02T12:34:56.789+02:00')
  await new DistributionRows(installation, world.tenantId).create(world.accountId)
  // Publishes the entitlement, as a worker would.
  await installation.rows(
    `update cell.entitlement set account_position = 0; update cell.account set entitlement_count = 1`,
  )
  await installation.numberEvents()
  const token = await api.token(await installation.issueCredential(world.tenantId, { requestsPerMinute: 60_000 }))

  const withIds = (path: string, change = (id: string) => id) =>
    path.replaceAll(/:(\w+)/g, (_, name: string) => change(world[name as keyof World]))
  // Leaves out the request log, which the reads of this test change.
  const reads = operations
    .filter(({ header }) => header.method === 'GET' && header.path !== '/requests')
    .map(({ header }) => header.path)

  /** Returns every member of a response, at any depth. */
  function membersOf(value: unknown): [string, unknown][] {
    if (typeof value !== 'object' || value === null) return []
    return Object.entries(value).flatMap(([name, member]) => [
      [name, member] as [string, unknown],
      ...membersOf(member),
    ])
  }

  test('R001: every read returns the same on both prefixes, except for links', async () => {
    for (const path of reads) {
      const [one, other] = await Promise.all(
        (['/api', '/_api'] as const).map((prefix) => api.call('GET', withIds(path), { token, prefix })),
      )
      assert.equal(one?.status, 200, path)
      assert.deepEqual([other?.status, other?.text.replaceAll('/_api/', '/api/')], [200, one?.text], path)
    }
  })

  test('R001: an account created on one prefix is changed on the other', async () => {
    const write = (method: string, path: string, prefix: '/api' | '/_api', body: unknown) =>
      api.call(method, path, { token, prefix, body, headers: { 'x-idempotency-key': crypto.randomUUID() } })
    const { body } = await write('POST', '/accounts', '/api', individual)
    const changed = await write('PATCH', `/accounts/${body.id}`, '/_api', { kyc: { status: 'APPROVED' } })
    assert.deepEqual([changed.status, changed.body], [200, { ...body, kyc: { status: 'APPROVED' } }])
  })

  test('R003: PUT and DELETE are 405 on every path, and Allow lists the supported methods', async () => {
    const methodsOf = Map.groupBy(operations, ({ header }) => header.path)
    for (const [path, served] of methodsOf)
      for (const method of ['PUT', 'DELETE']) {
        const response = await api.call(method, withIds(path), { token })
        assertError(response, 405, 'method_not_allowed')
        const allowed = (response.headers.get('allow') ?? '').split(', ')
        for (const { header } of served) assert.ok(allowed.includes(header.method), `${path}: ${allowed.join()}`)
      }
  })

  test('R009: every id in every response is a UUID in lower case; a path accepts both cases', async () => {
    for (const path of reads) {
      const response = await api.call('GET', withIds(path), { token })
      const ids = membersOf(response.body).filter(
        ([name]) => name === 'id' || /^(account|wallet|offering)_id$/.test(name),
      )
      assert.ok(ids.length > 0, path)
      for (const [name, id] of ids) assert.match(id as string, uuid, `${path}: ${name}`)
      const upper = await api.call(
        'GET',
        withIds(path, (id) => id.toUpperCase()),
        { token },
      )
      assert.deepEqual(upper.body, response.body)
    }
  })

  test('R012, Q013: every timestamp is in UTC with milliseconds', async () => {
    const seen = new Map<string, unknown>()
    for (const path of reads) {
      const { body } = await api.call('GET', withIds(path), { token })
      for (const [name, value] of membersOf(body)) {
        if (!/_(at|timestamp)$/.test(name) || value === null) continue
        assert.match(value as string, timestamp, `${path}: ${name}`)
        seen.set(name, value)
      }
    }
    assert.deepEqual([...seen.keys()].toSorted(), [
      'block_timestamp',
      'changed_at',
      'created_at',
      'paid_at',
      'payment_due_at',
      'record_at',
    ])
    assert.equal(seen.get('paid_at'), '2026-07-02T10:34:56.789Z')
    assert.equal(seen.get('block_timestamp'), '2026-07-02T10:00:00.000Z')
  })
})
