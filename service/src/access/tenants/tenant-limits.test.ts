import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { OperatorClient } from '../../../test/harness/callers/operator-client.ts'
import { confirmAs } from '../../../test/harness/callers/second-person.ts'
import { type ApiResponse, assertError } from '../../../test/harness/installation/api-client.ts'
import { sharedInstallation } from '../../../test/harness/installation/shared-installation.ts'
import type { TestOperator } from '../../../test/harness/installation/test-users.ts'
import { until, waitingForLocks } from '../../../test/harness/wait.ts'
import type { TenantLimits } from './tenant-limits.ts'

const scopes = ['order.read']
let sequence = 0
const newUser = () => ({ name: 'Ann', email: `ann-${++sequence}@example.com`, role: 'viewer' })

describe('limits of a tenant', async () => {
  const installation = await sharedInstallation()
  after(() => installation.end())
  const api = await installation.startOperatorApi()

  /** The other users of each tenant. */
  const colleagues = new Map<string, { second: TestOperator; viewer: TestOperator }>()
  /** Creates a tenant with these limits and two admins and a viewer, who have one token each. */
  async function adminWith(limits: Partial<TenantLimits>): Promise<OperatorClient> {
    const tenantId = await installation.createTenant('T')
    const admin = await OperatorClient.create(installation, api, tenantId, 'admin')
    colleagues.set(tenantId, {
      second: await installation.createOperator(tenantId, { role: 'admin' }),
      viewer: await installation.createOperator(tenantId, { role: 'viewer' }),
    })
    await installation.setLimits(tenantId, limits)
    return admin
  }
  const colleaguesOf = ({ who }: OperatorClient) => {
    const found = colleagues.get(who.tenantId)
    assert.ok(found)
    return found
  }
  const viewerOf = (admin: OperatorClient) => colleaguesOf(admin).viewer
  /** Proposes as the admin and confirms as the second one. Returns the response of the operation. */
  async function together(admin: OperatorClient, path: string, body?: object): Promise<ApiResponse> {
    const proposal = await admin.post(path, body)
    if (proposal.status !== 202) return proposal
    const response = await confirmAs(api, colleaguesOf(admin).second, proposal, 'directory')
    return response.status === 200 ? { ...response, body: response.body.result } : response
  }
  const assertDone = (...responses: ApiResponse[]) => {
    for (const { status, text } of responses) assert.ok(status === 200 || status === 201, `${status} ${text}`)
  }
  const assertLimited = (response: ApiResponse, limit: RegExp) => {
    assertError(response, 409, 'tenant_limit_reached')
    assert.match(response.body.error.message, limit)
    assert.match(response.body.error.message, /Ask the installation's administrator to raise the limit/)
  }

  for (const { what, limits, create, free, message } of [
    {
      what: 'credentials',
      limits: { credentials: 2 },
      create: (admin) => admin.post('/credentials', { name: 'c', scopes }),
      free: (admin, { body }) => admin.post(`/credentials/${body.client_id}/disable`),
      message: /at most 2 enabled credentials/,
    },
    {
      what: 'users',
      limits: { users: 5 },
      create: (admin) => together(admin, '/users', newUser()),
      free: (admin, { body }) => together(admin, `/users/${body.id}/remove`),
      message: /at most 5 users/,
    },
    {
      what: 'personal access tokens of all users together',
      limits: { personalTokens: 5 },
      create: ({ who }) => {
        const body = { name: 'laptop', expires_in_days: 1 }
        return api.call('POST', `/users/${who.userId}/tokens`, { cookie: who.cookie, body })
      },
      free: (admin) => together(admin, `/users/${viewerOf(admin).userId}/remove`),
      message: /at most 5 valid personal access tokens/,
    },
    {
      what: 'payment providers',
      limits: { paymentProviders: 2 },
      create: (admin) => admin.post('/payment-providers', { kind: 'standard', name: `p${++sequence}` }),
      free: (admin, { body }) => admin.post(`/payment-providers/${body.id}/disable`),
      message: /at most 2 enabled payment providers/,
    },
    {
      what: 'webhook endpoints',
      limits: { webhookEndpoints: 2 },
      create: (admin) => admin.post('/webhook-endpoints', { url: 'https://example.com/' }),
      message: /at most 2 webhook endpoints/,
    },
  ] satisfies {
    what: string
    limits: Partial<TenantLimits>
    create: (admin: OperatorClient) => Promise<ApiResponse>
    free?: (admin: OperatorClient, created: ApiResponse) => Promise<ApiResponse>
    message: RegExp
  }[])
    test(`${what}: one more than the limit is rejected until one is gone or the limit is raised`, async () => {
      const admin = await adminWith(limits)
      const [first, second] = [await create(admin), await create(admin)]
      assertDone(first, second)
      assertLimited(await create(admin), message)
      if (free) {
        assertDone(await free(admin, first), await create(admin))
        assertLimited(await create(admin), message)
      }
      const raised = Object.fromEntries(Object.entries(limits).map(([name, max]) => [name, max + 1]))
      await installation.setLimits(admin.who.tenantId, raised)
      assertDone(await create(admin))
    })

  test('invitations in 24 hours count even if the user was removed', async () => {
    const admin = await adminWith({ invitationsPerDay: 4 })
    const { body } = await together(admin, '/users', newUser())
    assertDone(await together(admin, `/users/${body.id}/remove`))
    assertLimited(await admin.post('/users', newUser()), /at most 4 users invited in 24 hours/)
    await installation.rows(
      `update directory.operator_user set created_at = now() - interval '25 hours' where id = $1`,
      [body.id],
    )
    assertDone(await together(admin, '/users', newUser()))
  })

  test('the requests per minute of all enabled credentials add up to at most the limit', async () => {
    const admin = await adminWith({ requestsPerMinute: 100 })
    const create = (requests_per_minute: number) =>
      admin.post('/credentials', { name: 'c', scopes, requests_per_minute })
    const change = (id: string, requests_per_minute: number) =>
      api.call('PATCH', `/credentials/${id}`, { token: admin.who.token, body: { requests_per_minute } })
    const [first, second] = [(await create(60)).body.client_id, (await create(40)).body.client_id]
    assertLimited(await create(1), /at most 100 requests per minute/)
    assertLimited(await change(second, 41), /at most 100 requests per minute/)
    assert.equal((await change(first, 50)).status, 200)
    assert.equal((await change(second, 50)).status, 200)
    await installation.setLimits(admin.who.tenantId, { requestsPerMinute: 10 })
    assert.equal((await change(second, 45)).status, 200)
    assertLimited(await change(second, 46), /at most 10 requests per minute/)
  })

  test('of two concurrent requests for the last free place, one is accepted', async () => {
    const admin = await adminWith({ credentials: 1, paymentProviders: 1 })
    const { tenantId } = admin.who
    for (const create of [
      () => admin.post('/credentials', { name: 'c', scopes }),
      () => admin.post('/payment-providers', { kind: 'standard', name: `p${++sequence}` }),
    ]) {
      const responses = await installation.owner(async (client) => {
        // Both begin before either inserts: an insert needs a share lock on the tenant's row.
        await client.query('begin')
        await client.query('select from directory.tenant where id = $1 for update', [tenantId])
        await client.query('select from cell.tenant where id = $1 for update', [tenantId])
        const both = [create(), create()]
        await until('both wait', async () => (await waitingForLocks(installation)) === 2)
        await client.query('commit')
        return Promise.all(both)
      })
      assert.deepEqual(responses.map(({ status }) => status).toSorted(), [201, 409])
    }
  })
})
