import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Answer, assertError } from '../../../../test/harness/api-client.ts'
import { type RunningApi, TestInstallation, type TestOperator } from '../../../../test/harness/service.ts'
import { until } from '../../../../test/harness/wait.ts'
import { Placement } from '../../../platform/db/placement.ts'
import { inTenantTransaction } from '../../../platform/db/tenant-transaction.ts'
import { recordEventOnce } from '../../../records/events/event.sql.ts'

const wanted = { name: 'Order desk', scopes: ['offering.read', 'order.read'] }

describe('credentials of operators', () => {
  let installation: TestInstallation
  let api: RunningApi
  let integrators: RunningApi
  let operator: TestOperator

  before(async () => {
    installation = await TestInstallation.create()
    api = await installation.startOperatorApi()
    integrators = await installation.startApi()
    await installation.startWorker()
    operator = await installation.createOperator(await installation.createTenant('A'))
  })
  after(() => installation.end())

  const send = (method: string, path: string, body?: unknown): Promise<Answer> =>
    api.call(method, path, { token: operator.token, ...(body === undefined ? {} : { body }) })
  const issue = async (change: object = {}) => {
    const answer = await send('POST', '/credentials', { ...wanted, ...change })
    assert.equal(answer.status, 201, answer.text)
    return answer.body
  }
  const auth = (clientId: string, clientSecret: string, scopes: string[] = ['offering.read']) =>
    integrators.auth({ clientId, clientSecret }, scopes)
  const auditOf = async (subjectId: string) =>
    (await send('GET', `/directory-audit?subject_id=${subjectId}&direction=asc`)).body.results

  /** Numbered or not. */
  async function eventsOf(clientId: string) {
    const { rows } = await installation.owner((client) =>
      client.query(
        `select id, type, data from cell.event where client_id = $1
         union all select id, type, data from cell.event_outbox where client_id = $1 order by id`,
        [clientId],
      ),
    )
    return rows
  }

  test('one that is issued works at once, its secret is shown once and is in no log', async () => {
    const issued = await issue({ requests_per_minute: 100, default_version: '2026-07-02' })
    const { client_secret: secret, ...shown } = issued
    assert.match(secret, /^its_[\w-]{43}$/)
    const answer = await auth(issued.client_id, secret)
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.headers.get('ratelimit-policy'), '"credential";q=100;w=60')
    assertError(await auth(issued.client_id, secret, ['order.create']), 403, 'scope_not_granted')
    assert.deepEqual((await send('GET', `/credentials/${issued.client_id}`)).body, shown)
    assert.deepEqual((await send('GET', '/credentials?limit=50')).body.results[0], shown)
    const audit = await auditOf(issued.client_id)
    assert.deepEqual(audit[0].after, {
      name: 'Order desk',
      scopes: wanted.scopes,
      requests_per_minute: 100,
      default_version: '2026-07-02',
    })
    assert.ok(!JSON.stringify(audit).includes(secret))
    assert.ok(!api.process.output.some((line) => line.includes(secret)))
  })

  test('the list is in the order of issue', async () => {
    const other = await installation.createOperator(await installation.createTenant('List'))
    const ids: string[] = []
    for (let count = 0; count < 11; count++)
      ids.push((await api.call('POST', '/credentials', { token: other.token, body: wanted })).body.client_id)
    const idsAt = async (query: string) =>
      (await api.call('GET', `/credentials${query}`, { token: other.token })).body.results.map(
        (credential: { client_id: string }) => credential.client_id,
      )
    assert.deepEqual(await idsAt('?limit=50'), ids.toReversed())
    assert.deepEqual(await idsAt('?direction=asc&offset=10'), ids.slice(10))
  })

  test('a change counts for the next token; a scope that is taken away also ends the tokens that carry it', async () => {
    const { client_id: id, client_secret: secret } = await issue({ requests_per_minute: 1_000 })
    const { access_token: token } = (await auth(id, secret, wanted.scopes)).body
    const isRefused = async () => (await integrators.call('GET', '/offerings', { token })).status === 401
    const renamed = await send('PATCH', `/credentials/${id}`, { name: 'Desk', requests_per_minute: 2_000 })
    assert.deepEqual([renamed.body.name, renamed.body.scopes], ['Desk', wanted.scopes])
    assert.equal((await auth(id, secret)).status, 200)
    assert.equal(await isRefused(), false)
    const narrowed = await send('PATCH', `/credentials/${id}`, { scopes: ['order.read'] })
    assert.deepEqual(narrowed.body.scopes, ['order.read'])
    await until('the token is refused', isRefused)
    assertError(await auth(id, secret), 403, 'scope_not_granted')
    assert.equal((await send('PATCH', `/credentials/${id}`, {})).status, 200)
    const [, first, second, ...others] = await auditOf(id)
    assert.deepEqual(others, [], 'a change that changes nothing is no record')
    assert.deepEqual(
      [first.before, first.after],
      [
        { name: 'Order desk', requests_per_minute: 1_000 },
        { name: 'Desk', requests_per_minute: 2_000 },
      ],
    )
    assert.deepEqual([second.before, second.after], [{ scopes: wanted.scopes }, { scopes: ['order.read'] }])
  })

  test('a rotation gives a second live secret; without overlap the old one ends at once', async () => {
    const issued = await issue()
    const rotated = await send('POST', `/credentials/${issued.client_id}/rotate`, { overlap_hours: 2 })
    assert.equal(rotated.status, 200, rotated.text)
    const endsInMs = Date.parse(rotated.body.old_secret_ends_at) - Date.now()
    assert.ok(endsInMs > 7_100_000 && endsInMs <= 7_200_000, String(endsInMs))
    for (const secret of [issued.client_secret, rotated.body.client_secret])
      assert.equal((await auth(issued.client_id, secret)).status, 200)
    const last = await send('POST', `/credentials/${issued.client_id}/rotate`, { overlap_hours: 0 })
    assert.equal(last.body.old_secret_ends_at, null)
    for (const secret of [issued.client_secret, rotated.body.client_secret])
      assert.equal((await auth(issued.client_id, secret)).status, 401)
    assert.equal((await auth(issued.client_id, last.body.client_secret)).status, 200)
    assert.ok(!JSON.stringify(await auditOf(issued.client_id)).includes('its_'))
  })

  test('one that is disabled is refused, stays so, and can be disabled again without effect', async () => {
    const { client_id: id, client_secret: secret } = await issue()
    const disabled = await send('POST', `/credentials/${id}/disable`)
    assert.equal(disabled.status, 200)
    assert.ok(Math.abs(Date.parse(disabled.body.disabled_at) - Date.now()) < 60_000)
    assert.deepEqual((await send('POST', `/credentials/${id}/disable`)).body, disabled.body)
    assert.equal((await auth(id, secret)).status, 401)
    assertError(await send('POST', `/credentials/${id}/rotate`, {}), 409, 'credential_disabled')
    assertError(await send('PATCH', `/credentials/${id}`, { name: 'x' }), 409, 'credential_disabled')
    assert.equal((await auditOf(id)).length, 2)
  })

  for (const [pointer, change] of [
    ['/scopes', { scopes: [] }],
    ['/scopes', { scopes: ['order.read', 'order.read'] }],
    ['/scopes/0', { scopes: ['admin'] }],
    ['/requests_per_minute', { requests_per_minute: 0 }],
    ['/requests_per_minute', { requests_per_minute: 60_001 }],
    ['/name', { name: '' }],
  ] as const)
    test(`${JSON.stringify(change)} is 400 at ${pointer}`, async () => {
      const { client_id: id } = await issue()
      for (const answer of [
        await send('POST', '/credentials', { ...wanted, ...change }),
        await send('PATCH', `/credentials/${id}`, change),
      ]) {
        assertError(answer, 400, 'validation_failed')
        assert.equal(answer.body.error.errors[0].pointer, pointer)
      }
    })

  test('what happens to a credential reaches the events of its cell, each once, for that credential alone', async () => {
    const { client_id: id } = await issue()
    await send('PATCH', `/credentials/${id}`, { name: 'Desk' })
    await send('POST', `/credentials/${id}/rotate`, { overlap_hours: 0 })
    await send('POST', `/credentials/${id}/disable`)
    await until('all events are there', async () => (await eventsOf(id)).length === 4)
    assert.deepEqual(
      (await eventsOf(id)).map(({ type, data }) => [type, data]),
      [
        ['credential.issued', { client_id: id, scopes: wanted.scopes, requests_per_minute: 30 }],
        ['credential.changed', { client_id: id, changed: ['name'] }],
        ['credential.rotated', { client_id: id, old_secret_ends_at: null }],
        ['credential.disabled', { client_id: id }],
      ],
    )
  })

  test('a job that runs again records its event once, whether or not it has its number by then', async () => {
    const { tenantId } = operator
    const { clientId } = await installation.issueCredential(tenantId)
    const eventId = crypto.randomUUID()
    const places = { databases: installation.databases, placement: new Placement(installation.databases) }
    const run = () =>
      inTenantTransaction(places, { tenantId, access: 'write' }, (tx) =>
        recordEventOnce(tx, tenantId, { type: 'credential.disabled', data: { client_id: clientId } }, eventId),
      )
    await Promise.all([run(), run(), run()])
    assert.equal((await eventsOf(clientId)).length, 1)
    await installation.sequenceEvents()
    await run()
    await installation.sequenceEvents()
    assert.deepEqual(
      (await eventsOf(clientId)).map(({ id }) => id),
      [eventId],
    )
  })
})
