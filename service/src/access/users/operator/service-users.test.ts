import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { confirmAs } from '../../../../test/harness/callers/second-person.ts'
import { Fixtures } from '../../../../test/harness/data/fixtures.ts'
import { type ApiResponse, assertError } from '../../../../test/harness/installation/api-client.ts'
import { sharedInstallation } from '../../../../test/harness/installation/shared-installation.ts'
import type { TestOperator } from '../../../../test/harness/installation/test-users.ts'

describe('service users', async () => {
  const installation = await sharedInstallation()
  after(() => installation.end())
  const api = await installation.startOperatorApi()
  const tenantId = await installation.createTenant('A', { policies: 'default' })
  const creator = await installation.createOperator(tenantId)
  const second = await installation.createOperator(tenantId)
  const third = await installation.createOperator(tenantId)

  const propose = (path: string, body: object, method = 'POST'): Promise<ApiResponse> =>
    api.call(method, path, { token: creator.token, body })
  const together = async (path: string, body: object, method = 'POST'): Promise<ApiResponse> =>
    confirmAs(api, second, await propose(path, body, method), 'directory')
  const create = async (...duties: string[]): Promise<string> => {
    const body = { name: 'Statement import', duties: duties.map((duty) => ({ duty })) }
    const { status, body: confirmed, text } = await together('/service-users', body)
    assert.equal(status, 200, text)
    return confirmed.result.id
  }
  const newToken = { name: 'server', expires_in_days: 30 }
  const tokenOf = async (userId: string): Promise<{ id: string; token: string }> =>
    (await together(`/service-users/${userId}/tokens`, newToken)).body.result
  const openOffering = async (token: string): Promise<ApiResponse> => {
    const offeringId = await new Fixtures(installation).offering(tenantId, { status: 'DRAFT' })
    return api.call('POST', `/offerings/${offeringId}/open`, { token })
  }

  test('two persons create it and its token, which is shown only to the one who confirms', async () => {
    const userId = await create('money')
    const { results } = (await api.call('GET', '/users?limit=50', { token: creator.token })).body
    const listed = results.find(({ id }: { id: string }) => id === userId)
    assert.deepEqual(
      [listed.kind, listed.email, listed.invited_by, listed.duties.map(({ duty }: { duty: string }) => duty)],
      ['service', null, creator.userId, ['money', 'read']],
    )
    const proposal = await propose(`/service-users/${userId}/tokens`, newToken)
    assert.equal((await api.call('GET', `/users/${userId}/tokens`, { token: creator.token })).body.results.length, 0)
    const { token } = (await confirmAs(api, second, proposal, 'directory')).body.result
    assert.match(token, /^itp_/)
    const path = `/directory-approvals/${proposal.body.approval_id}`
    for (const seen of [path, '/directory-audit?limit=50', `/users/${userId}/tokens`])
      assert.ok(!(await api.call('GET', seen, { token: creator.token })).text.includes(token), seen)
    assert.equal((await api.call('GET', '/statements', { token })).status, 200)
    assertError(await api.call('POST', '/service-users', { token, body: {} }), 403, 'insufficient_duty')
    const removal = await propose(`/users/${userId}/remove`, {})
    assert.equal((await confirmAs(api, second, removal, 'directory')).status, 200)
    assertError(await api.call('GET', '/statements', { token }), 401, 'token_revoked')
  })

  test('it cannot have the duty team, neither at first nor later', async () => {
    const duties = [{ duty: 'team' }]
    assertError(await propose('/service-users', { name: 'x', duties }), 409, 'service_user_in_team')
    const userId = await create('money')
    assertError(await propose(`/users/${userId}`, { duties }, 'PATCH'), 409, 'service_user_in_team')
    assertError(await propose(`/users/${userId}`, { role: 'admin' }, 'PATCH'), 409, 'service_user_in_team')
  })

  test('only a service user gets a token from others', async () => {
    assertError(await propose(`/service-users/${second.userId}/tokens`, newToken), 404, 'not_found')
  })

  test('it never acts alone where a person could not', async () => {
    const { token } = await tokenOf(await create('offerings'))
    assert.equal((await openOffering(token)).status, 202)
  })

  test('it can never confirm', async () => {
    const { token } = await tokenOf(await create('offerings', 'release', 'integrations'))
    const proposal = await openOffering(creator.token)
    const path = `/approvals/${proposal.body.approval_id}/confirm`
    assertError(await api.call('POST', path, { token }), 403, 'session_required')
  })

  test('neither its creator nor anyone who has seen one of its tokens can confirm its proposals', async () => {
    const userId = await create('offerings')
    const { id: tokenId, token } = await tokenOf(userId)
    const proposal = await openOffering(token)
    assertError(await confirmAs(api, creator, proposal), 403, 'second_person_required')
    assertError(await confirmAs(api, second, proposal), 403, 'second_person_required')
    const revoked = await api.call('POST', `/users/${userId}/tokens/${tokenId}/revoke`, { token: second.token })
    assert.equal(revoked.status, 200, revoked.text)
    assertError(await confirmAs(api, second, proposal), 403, 'second_person_required')
    const confirmed = await confirmAs(api, third, proposal)
    assert.equal(confirmed.status, 200, confirmed.text)
    assert.equal(confirmed.body.result.status, 'OPEN')
  })

  test('removing a person revokes the service-user tokens that they have seen, and no others', async () => {
    const userId = await create('money')
    const leaver = await installation.createOperator(tenantId)
    const tokenShownTo = async (person: TestOperator): Promise<string> => {
      const proposal = await propose(`/service-users/${userId}/tokens`, newToken)
      return (await confirmAs(api, person, proposal, 'directory')).body.result.token
    }
    const [known, unknown] = [await tokenShownTo(leaver), await tokenShownTo(third)]
    const removal = await propose(`/users/${leaver.userId}/remove`, {})
    assert.equal((await confirmAs(api, second, removal, 'directory')).status, 200)
    assertError(await api.call('GET', '/statements', { token: known }), 401, 'token_revoked')
    assert.equal((await api.call('GET', '/statements', { token: unknown })).status, 200)
  })

  test('a creator who was removed and came back cannot confirm either', async () => {
    const person = { issuer: 'https://id.example.com', subject: crypto.randomUUID() }
    const leaver = await installation.createOperator(tenantId, { person })
    const { userId } = await installation.createServiceUser(tenantId, {
      duties: ['offerings'],
      createdBy: leaver.userId,
    })
    const { token } = await tokenOf(userId)
    const proposal = await openOffering(token)
    await installation.rows('update directory.operator_user set removed_at = now() where id = $1', [leaver.userId])
    const back = await installation.createOperator(tenantId, { person })
    assertError(await confirmAs(api, back, proposal), 403, 'second_person_required')
  })
})
