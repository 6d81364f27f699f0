import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, beforeEach, describe, test } from 'node:test'
import { individual } from '../../../test/harness/data/bodies.ts'
import { TestTenant } from '../../../test/harness/data/tenant.ts'
import { assertError } from '../../../test/harness/installation/api-client.ts'
import { sharedInstallation } from '../../../test/harness/installation/shared-installation.ts'
import { pluck } from '../../../test/harness/pluck.ts'
import { until } from '../../../test/harness/wait.ts'

describe('GET /requests', async () => {
  let tenant: TestTenant

  const installation = await sharedInstallation()
  after(() => installation.end())
  const api = await installation.startApi()
  beforeEach(async () => {
    tenant = await TestTenant.create(installation, api)
  })

  const read = async (query = '', token = tenant.token) => {
    const response = await api.call('GET', `/requests${query}`, { token })
    assert.equal(response.status, 200, response.text)
    return response.body
  }
  /** Waits until the log has `count` requests, not counting those that read the log. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads arbitrary responses
  const logged = async (count: number, query = '?limit=50'): Promise<any[]> => {
    let found: { path: string }[] = []
    await until(`${count} requests are in the log`, async () => {
      const { requests } = await read(query)
      found = requests.filter(({ path }: { path: string }) => path !== '/api/requests')
      return found.length === count
    })
    return found
  }

  test('an entry has method, path template, status, code, duration, key and request id, newest first', async () => {
    const key = randomUUID()
    const created = await tenant.post('/accounts', individual, key)
    const missing = await tenant.get(`/accounts/${randomUUID()}`)
    const [second, first] = await logged(2)
    assert.deepEqual(
      { ...first, id: 0, duration_ms: 0, responded_at: 0 },
      {
        id: 0,
        request_id: created.headers.get('x-request-id'),
        responded_at: 0,
        method: 'POST',
        path: '/api/accounts',
        status: 201,
        code: null,
        duration_ms: 0,
        idempotency_key: key,
      },
    )
    assert.equal(second.path, '/api/accounts/:accountId')
    assert.equal(second.status, 404)
    assert.equal(second.code, 'not_found')
    assert.equal(second.request_id, missing.headers.get('x-request-id'))
    assert.equal(second.idempotency_key, null)
    assert.ok(first.duration_ms > 0 && second.responded_at >= first.responded_at)
  })

  test('an entry contains nothing of a body, a path parameter or a query', async () => {
    const id = await tenant.account()
    await tenant.get(`/accounts/${id}?secret=canary`)
    await logged(2)
    const { rows } = await installation.owner((owner) => owner.query('select * from cell.request_log'))
    const stored = JSON.stringify(rows)
    for (const canary of [id, 'Lovelace', 'ada@example.com', 'canary']) assert.ok(!stored.includes(canary), canary)
  })

  test('the filter failed returns only failed requests, page by page without a gap', async () => {
    for (let call = 0; call < 12; call += 1) await tenant.get('/accounts?limit=1')
    for (let call = 0; call < 3; call += 1) await tenant.get('/offerings')
    const failed = await logged(12, '?failed=true&limit=50')
    assert.ok(failed.every(({ code }: { code: string }) => code === 'validation_failed'))
    const first = await read('?failed=true')
    assert.equal(first.requests.length, 10)
    const next = new URL(first.next)
    const rest = await read(next.search)
    assert.deepEqual(pluck([...first.requests, ...rest.requests], 'id'), pluck(failed, 'id'))
    assert.equal(rest.next, null)
  })

  test('a credential sees only its own requests, not those of the same or another tenant; without a token it is 401', async () => {
    const other = await TestTenant.create(installation, api)
    const sibling = await installation.issueCredential(tenant.id)
    const siblingToken = await api.token(sibling)
    await tenant.get('/offerings')
    await logged(1)
    for (const token of [other.token, siblingToken]) {
      const { requests } = await read('?limit=50', token)
      assert.ok(requests.every(({ path }: { path: string }) => path === '/api/requests'))
    }
    assertError(await api.call('GET', '/requests'), 401, 'token_missing')
  })

  test('a process that stops writes its buffered entries', async () => {
    const second = await installation.startApi()
    for (let call = 0; call < 5; call += 1) await second.call('GET', '/offerings', { token: tenant.token })
    await second.process.stop()
    const { requests } = await read('?limit=50')
    assert.equal(requests.filter(({ path }: { path: string }) => path === '/api/offerings').length, 5)
  })
})
