import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { type ApiResponse, assertError } from '../../../../test/harness/installation/api-client.ts'
import { TestInstallation } from '../../../../test/harness/installation/test-installation.ts'
import { pluck } from '../../../../test/harness/pluck.ts'
import { until } from '../../../../test/harness/wait.ts'
import { Placement } from '../../../platform/postgres/cells/placement.ts'
import { inTenantTransaction } from '../../../platform/postgres/cells/tenant-transaction.ts'
import { recordEventOnce } from '../../../records/events/event.sql.ts'

const newCredential = { name: 'Order desk', scopes: ['offering.read', 'order.read'] }

describe('credentials in the operator API', async () => {
  const installation = await TestInstallation.create()
  after(() => installation.end())
  const api = await installation.startOperatorApi()
  const integrators = await installation.startApi()
  await installation.startWorker()
  const operator = await installation.createOperator(await installation.createTenant('A'))

  const send = (method: string, path: string, body?: unknown): Promise<ApiResponse> =>
    api.call(method, path, { token: operator.token, body })
  const issue = async (change: object = {}) => {
    const response = await send('POST', '/credentials', { ...newCredential, ...change })
    assert.equal(response.status, 201, response.text)
    return response.body
  }
  const auth = (clientId: string, clientSecret: string, scopes: string[] = ['offering.read']) =>
    integrators.auth({ clientId, clientSecret }, scopes)
  const auditOf = async (subjectId: string) =>
    (await send('GET', `/directory-audit?subject_id=${subjectId}&direction=asc`)).body.results

  /** Reads events of a credential, including those without a sequence number. */
  async function eventsOf(clientId: string) {
    return installation.rows(
      `select id, type, data from cell.event where client_id = $1
       union all select id, type, data from cell.event_outbox where client_id = $1 order by id`,
      [clientId],
    )
  }

  test('an issued credential works at once; its secret is shown once and never logged', async () => {
    const issued = await issue({ requests_per_minute: 100, default_version: '2026-07-02' })
    const { client_secret: secret, ...shown } = issued
    assert.match(secret, /^its_[\w-]{43}$/)
    const response = await auth(issued.client_id, secret)
    assert.equal(response.status, 200, response.text)
    assert.equal(response.headers.get('ratelimit-policy'), '"credential";q=100;w=60')
    assertError(await auth(issued.client_id, secret, ['order.create']), 403, 'scope_not_granted')
    const used = (await send('GET', `/credentials/${issued.client_id}`)).body
    assert.equal(shown.last_used_at, null)
    assert.ok(Date.parse(used.last_used_at) >= Date.parse(used.created_at))
    assert.deepEqual(used, { ...shown, last_used_at: used.last_used_at })
    assert.deepEqual((await send('GET', '/credentials?limit=50')).body.results[0], used)
    const audit = await auditOf(issued.client_id)
    assert.deepEqual(audit[0].after, {
      name: 'Order desk',
      scopes: newCredential.scopes,
      requests_per_minute: 100,
      default_version: '2026-07-02',
    })
    assert.ok(!JSON.stringify(audit).includes(secret))
    assert.ok(!api.process.output.some((line) => line.includes(secret)))
  })

  test('the list is ordered by creation time', async () => {
    const other = await installation.createOperator(await installation.createTenant('List'))
    const ids: string[] = []
    for (let count = 0; count < 11; count++)
      ids.push((await api.call('POST', '/credentials', { token: other.token, body: newCredential })).body.client_id)
    const idsAt = async (query: string) =>
      (await api.call('GET', `/credentials${query}`, { token: other.token })).body.results.map(
        (credential: { client_id: string }) => credential.client_id,
      )
    assert.deepEqual(await idsAt('?limit=50'), ids.toReversed())
    const first = (await api.call('GET', '/credentials?direction=asc&limit=10', { token: other.token })).body
    assert.deepEqual(await idsAt(new URL(first.pagination.next).search), ids.slice(10))
  })

  test('a change applies to the next token; removing a scope also revokes the tokens issued so far', async () => {
    const { client_id: id, client_secret: secret } = await issue({ requests_per_minute: 1_000 })
    const { access_token: token } = (await auth(id, secret, newCredential.scopes)).body
    const isRejected = async () => (await integrators.call('GET', '/offerings', { token })).status === 401
    const renamed = await send('PATCH', `/credentials/${id}`, { name: 'Desk', requests_per_minute: 2_000 })
    assert.deepEqual([renamed.body.name, renamed.body.scopes], ['Desk', newCredential.scopes])
    assert.equal((await auth(id, secret)).status, 200)
    assert.equal(await isRejected(), false)
    const narrowed = await send('PATCH', `/credentials/${id}`, { scopes: ['order.read'] })
    assert.deepEqual(narrowed.body.scopes, ['order.read'])
    await until('the token is rejected', isRejected)
    assertError(await auth(id, secret), 403, 'scope_not_granted')
    assert.equal((await send('PATCH', `/credentials/${id}`, {})).status, 200)
    const [, first, second, ...others] = await auditOf(id)
    assert.deepEqual(others, [], 'a change without effect is not audited')
    assert.deepEqual(
      [first.before, first.after],
      [
        { name: 'Order desk', requests_per_minute: 1_000 },
        { name: 'Desk', requests_per_minute: 2_000 },
      ],
    )
    assert.deepEqual([second.before, second.after], [{ scopes: newCredential.scopes }, { scopes: ['order.read'] }])
  })

  test('rotation adds a second live secret; without overlap the old one expires at once', async () => {
    const issued = await issue()
    const rotated = await send('POST', `/credentials/${issued.client_id}/rotate`, { overlap_hours: 2 })
    assert.equal(rotated.status, 200, rotated.text)
    const endsInMs = Date.parse(rotated.body.previous_secret_ends_at) - Date.now()
    assert.ok(endsInMs > 7_100_000 && endsInMs <= 7_200_000, String(endsInMs))
    for (const secret of [issued.client_secret, rotated.body.client_secret])
      assert.equal((await auth(issued.client_id, secret)).status, 200)
    const withoutOverlap = await send('POST', `/credentials/${issued.client_id}/rotate`, { overlap_hours: 0 })
    assert.equal(withoutOverlap.body.previous_secret_ends_at, null)
    for (const secret of [issued.client_secret, rotated.body.client_secret])
      assert.equal((await auth(issued.client_id, secret)).status, 401)
    assert.equal((await auth(issued.client_id, withoutOverlap.body.client_secret)).status, 200)
    assert.ok(!JSON.stringify(await auditOf(issued.client_id)).includes('its_'))
  })

  test('a disabled credential is rejected, cannot be changed, and can be disabled again without effect', async () => {
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
      for (const response of [
        await send('POST', '/credentials', { ...newCredential, ...change }),
        await send('PATCH', `/credentials/${id}`, change),
      ]) {
        assertError(response, 400, 'validation_failed')
        assert.equal(response.body.error.errors[0].pointer, pointer)
      }
    })

  test('a credential that writes, or reads personal data, needs a second person', async () => {
    const careful = await installation.createOperator(
      await installation.createTenant('Careful', { policies: 'default' }),
    )
    const post = (path: string, body: object) => api.call('POST', path, { token: careful.token, body })
    const issueWith = (scope: string) => post('/credentials', { name: 'c', scopes: [scope] })
    for (const scope of ['order.create', 'account.update', 'account.read', 'order.read'])
      assert.equal((await issueWith(scope)).status, 202, scope)
    const { status, body } = await issueWith('offering.read')
    assert.equal(status, 201)
    const path = `/credentials/${body.client_id}`
    const widened = await api.call('PATCH', path, { token: careful.token, body: { scopes: ['account.read'] } })
    assert.equal(widened.status, 202)
    assert.equal((await post(`${path}/rotate`, { overlap_hours: 0 })).status, 200)
    for (const scope of ['account.read', 'order.read']) {
      await installation.rows('update directory.credential set scopes = $2 where id = $1', [body.client_id, [scope]])
      assert.equal((await post(`${path}/rotate`, { overlap_hours: 0 })).status, 202, scope)
    }
  })

  test('one person can issue a credential that reads names exactly where they can export names alone', async () => {
    const tenantId = await installation.createTenant('Careful', { policies: 'default' })
    /** Uses a new user each time, because policies are cached for a moment. */
    const statuses = async () => {
      const { token, cookie } = await installation.createOperator(tenantId)
      const issueWith = (scope: string) =>
        api.call('POST', '/credentials', { token, body: { name: 'c', scopes: [scope] } })
      const names = { kind: 'orders', with_personal_data: true }
      const responses = [
        await api.call('POST', '/exports', { cookie, body: names }),
        await issueWith('order.read'),
        await issueWith('account.read'),
      ]
      return responses.map(({ status }) => status)
    }
    const relax = (policy: string) =>
      installation.rows('insert into directory.approval_policy (tenant_id, policy) values ($1, $2)', [tenantId, policy])
    await relax('write_credential')
    assert.deepEqual(await statuses(), [202, 202, 202])
    await relax('personal_data_export')
    assert.deepEqual(await statuses(), [201, 201, 201])
  })

  test('each change of a credential records one event in its cell, visible to that credential only', async () => {
    const { client_id: id } = await issue()
    await send('PATCH', `/credentials/${id}`, { name: 'Desk' })
    await send('POST', `/credentials/${id}/rotate`, { overlap_hours: 0 })
    await send('POST', `/credentials/${id}/disable`)
    await until('all events are recorded', async () => (await eventsOf(id)).length === 4)
    assert.deepEqual(
      (await eventsOf(id)).map(({ type, data }) => [type, data]),
      [
        ['credential.issued', { client_id: id, scopes: newCredential.scopes, requests_per_minute: 30 }],
        ['credential.changed', { client_id: id, changed: ['name'] }],
        ['credential.rotated', { client_id: id, previous_secret_ends_at: null }],
        ['credential.disabled', { client_id: id }],
      ],
    )
  })

  test('a retried job records its event once, with or without a sequence number', async () => {
    const { tenantId } = operator
    const { clientId } = await installation.issueCredential(tenantId)
    const eventId = crypto.randomUUID()
    const tenantDatabases = { databases: installation.databases, placement: new Placement(installation.databases) }
    const run = () =>
      inTenantTransaction(tenantDatabases, { tenantId, access: 'write' }, (tx) =>
        recordEventOnce(tx, tenantId, { type: 'credential.disabled', data: { client_id: clientId } }, eventId),
      )
    await Promise.all([run(), run(), run()])
    assert.equal((await eventsOf(clientId)).length, 1)
    await installation.numberEvents()
    await run()
    await installation.numberEvents()
    assert.deepEqual(pluck(await eventsOf(clientId), 'id'), [eventId])
  })
})
