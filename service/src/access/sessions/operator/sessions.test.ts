import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { assertError } from '../../../../test/harness/installation/api-client.ts'
import { sharedInstallation } from '../../../../test/harness/installation/shared-installation.ts'
import { until, waitingForLocks } from '../../../../test/harness/wait.ts'

describe('sessions', async () => {
  const installation = await sharedInstallation()
  after(() => installation.end())
  const api = await installation.startOperatorApi()
  const tenantId = await installation.createTenant('A')

  const sql = (text: string, values: unknown[]) => installation.rows(text, values)
  const get = (headers: Record<string, string>) => api.call('GET', '/users', { headers })

  test('a cookie counts only in a same-origin request with the header X-Console', async () => {
    const { cookie: secret } = await installation.createOperator(tenantId)
    const cookie = `other=1; __Host-session=${secret}`
    const own = { cookie, 'x-console': '1' }
    const origin = api.baseUrl
    assert.equal((await get({ ...own, 'sec-fetch-site': 'same-origin' })).status, 200)
    assert.equal((await get({ ...own, origin })).status, 200)
    assertError(await get({ cookie, 'sec-fetch-site': 'same-origin' }), 403, 'cross_site_request')
    assertError(await get(own), 403, 'cross_site_request')
    for (const site of ['same-site', 'cross-site', 'none'])
      assertError(await get({ ...own, 'sec-fetch-site': site }), 403, 'cross_site_request')
    assertError(await get({ ...own, origin: 'https://evil.example' }), 403, 'cross_site_request')
    const mixed = { ...own, 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' }
    assertError(await get(mixed), 403, 'cross_site_request')
  })

  for (const [what, change] of [
    ['after 30 idle minutes', "update directory.operator_session set last_seen_at = now() - interval '30 minutes'"],
    ['after ten hours', 'update directory.operator_session set expires_at = now()'],
    ['once revoked', 'update directory.operator_session set revoked_at = now()'],
    ['once the user is removed', 'update directory.operator_user set removed_at = now()'],
  ] as const)
    test(`a session ends ${what}`, async () => {
      const who = await installation.createOperator(tenantId)
      const call = () => api.call('GET', '/users', { cookie: who.cookie })
      assert.equal((await call()).status, 200)
      const column = change.includes('operator_session') ? who.sessionId : who.userId
      await sql(`${change} where id = $1`, [column])
      assertError(await call(), 401, 'session_expired')
    })

  test('a request keeps a session alive', async () => {
    const who = await installation.createOperator(tenantId)
    await sql("update directory.operator_session set last_seen_at = now() - interval '29 minutes' where id = $1", [
      who.sessionId,
    ])
    assert.equal((await api.call('GET', '/users', { cookie: who.cookie })).status, 200)
    const rows = await sql(
      "select last_seen_at > now() - interval '1 minute' as is_fresh from directory.operator_session where id = $1",
      [who.sessionId],
    )
    assert.deepEqual(rows, [{ is_fresh: true }])
  })

  test('ending a session ends the tokens that were created in it', async () => {
    const who = await installation.createOperator(tenantId)
    const body = { name: 'script', expires_in_days: 30 }
    const created = await api.call('POST', `/users/${who.userId}/tokens`, { cookie: who.cookie, body })
    assert.equal(created.status, 201, created.text)
    const { token } = created.body
    assert.equal((await api.call('GET', '/users', { token })).status, 200)
    assertError(await api.call('POST', `/users/${who.userId}/tokens`, { token, body }), 403, 'session_required')
    const path = `/users/${who.userId}/sessions/${who.sessionId}/revoke`
    assert.equal((await api.call('POST', path, { cookie: who.cookie })).status, 200)
    assertError(await api.call('GET', '/users', { token }), 401, 'token_revoked')
    assertError(await api.call('GET', '/users', { cookie: who.cookie }), 401, 'session_expired')
  })

  test('a token that is created while its session is being revoked is rejected', async () => {
    const who = await installation.createOperator(tenantId)
    const body = { name: 'script', expires_in_days: 30 }
    const response = await installation.owner(async (client) => {
      await client.query('begin')
      await client.query('update directory.operator_session set revoked_at = now() where id = $1', [who.sessionId])
      const created = api.call('POST', `/users/${who.userId}/tokens`, { cookie: who.cookie, body })
      await until('the request waits for the lock', async () => (await waitingForLocks(installation)) === 1)
      await client.query('commit')
      return created
    })
    assertError(response, 401, 'session_expired')
  })

  test('a user cannot create a token in the name of another user', async () => {
    const [one, other] = [await installation.createOperator(tenantId), await installation.createOperator(tenantId)]
    const body = { name: 'x', expires_in_days: 1 }
    const response = await api.call('POST', `/users/${other.userId}/tokens`, { cookie: one.cookie, body })
    assertError(response, 403, 'not_your_token')
  })
})
