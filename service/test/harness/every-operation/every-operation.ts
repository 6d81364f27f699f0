import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { IssuedCredential } from '../../../src/access/credentials/issue-credential.ts'
import { operations } from '../../../src/operations.ts'
import { scopes } from '../../../src/platform/api/declare/scopes.ts'
import { createWorld, type World } from '../data/world.ts'
import { type ApiResponse, assertError, type Call } from '../installation/api-client.ts'
import type { RunningApi } from '../installation/running-api.ts'
import { TestInstallation } from '../installation/test-installation.ts'
import { concurrently } from './concurrently.ts'
import { ajv, assertForeignIsUnknown, assertRejected, comparable, pathIn } from './expectations.ts'
import { integratorBodies as bodies, integratorPreparations as prepared } from './integrator-requests.ts'
import { disablePolicies, type Protection, preloadWithout } from './protection.ts'

/**
 * Runs over the operations table, so that every new operation is tested, too. One of the two protections that isolate
 * tenants can be disabled before the tests.
 */
export function testEveryOperation({ without }: { without?: Protection } = {}): void {
  let installation: TestInstallation
  let api: RunningApi
  let mine: World
  let theirs: World

  before(async () => {
    installation = await TestInstallation.create()
    api = await installation.startApiProcess({}, preloadWithout(without))
    ;[mine, theirs] = [await createWorld(installation, api, 'A'), await createWorld(installation, api, 'B')]
    if (without === 'policies') await disablePolicies(installation, ['cell'])
  })
  after(() => installation.end())

  const protectedOperations = operations.filter(({ kind }) => kind === 'tenant')
  type Header = (typeof protectedOperations)[number]['header']

  const credential = (more: Parameters<TestInstallation['issueCredential']>[1] = {}): Promise<IssuedCredential> =>
    installation.issueCredential(mine.tenantId, more)
  const manyRequests = { requestsPerMinute: 1_000 }

  /** Sends a valid request, except for the test's change. */
  async function call(
    header: Header,
    token: string | undefined,
    ids: Partial<World>,
    change: Call = {},
  ): Promise<ApiResponse> {
    const own = ids === mine ? await prepared[header.id]?.(mine, api, installation) : undefined
    const body = own?.body ?? bodies[header.id]?.(mine)
    const key = header.idempotency === 'required' ? { 'x-idempotency-key': crypto.randomUUID() } : undefined
    return api.call(header.method, pathIn(header, { ...ids, ...own?.ids } as Record<string, string>), {
      token,
      ...(body === undefined ? {} : { body }),
      ...change,
      headers: { ...key, ...change.headers },
    })
  }

  for (const { header } of protectedOperations) {
    const name = `${header.method} ${header.path}`
    const ofOfferings = ['listOfferings', 'getOffering'].includes(header.id) ? 'R112, R204, ' : ''

    if (header.params)
      test(`R194, R114, Q104: ${name} with another tenant's ids is 404, byte for byte the response for unknown ids`, async () => {
        const token = await api.token(await credential(manyRequests))
        await assertForeignIsUnknown(header, { mine: { ...mine }, theirs: { ...theirs } }, (ids) =>
          call(header, token, ids),
        )
      })

    // Everything else behaves the same with one protection as with both.
    if (without !== undefined) continue

    test(`R001, R003, R007, R245, R246: ${name} returns ${header.success.status} with exactly the declared schema, on both prefixes`, async () => {
      const token = await api.token(await credential())
      const isValid = ajv.compile(header.success.body)
      for (const prefix of ['/api', '/_api'] as const) {
        const response = await call(header, token, mine, { prefix })
        assert.equal(response.status, header.success.status, response.text)
        assert.ok(isValid(response.body), JSON.stringify(isValid.errors))
      }
    })

    test(`R192, R227: ${name} without a token is 401 on both prefixes`, async () => {
      for (const prefix of ['/api', '/_api'] as const)
        assertError(await call(header, undefined, mine, { prefix }), 401, 'token_missing')
    })

    test(`${ofOfferings}R203, R205, R206, R228: ${name} with each scope alone: allowed, or 403 that names the required scopes`, async () => {
      const issued = await credential()
      const responses = await concurrently(scopes, async (scope) => call(header, await api.token(issued, [scope]), {}))
      for (const [index, scope] of scopes.entries()) {
        const response = responses[index] as ApiResponse
        if (header.scopes.includes(scope)) assert.notEqual(response.status, 403, scope)
        else {
          assertError(response, 403, 'insufficient_scope')
          for (const required of header.scopes) assert.match(response.body.error.message, new RegExp(required))
        }
      }
    })

    for (const parameter of Object.keys(header.params?.properties ?? {}))
      test(`R009: ${name} is 400 for a ${parameter} that is not a UUID`, async () => {
        const token = await api.token(await credential())
        assertRejected(await call(header, token, { ...mine, [parameter]: 'not-a-uuid' }), { parameter })
      })

    test(`R230, R234, R236: ${name} is 429 at the 31st request of a minute`, async () => {
      const token = await api.token(await credential())
      const responses = await Promise.all(Array.from({ length: 30 }, () => call(header, token, {})))
      assert.equal(responses.filter(({ status }) => status === 429).length, 1)
    })

    // A write that ignored the parameter would take effect.
    if (header.method === 'GET')
      test(`R008, Q006: ${name} ${header.query ? 'is 400 for' : 'ignores'} an unknown query parameter`, async () => {
        const token = await api.token(await credential())
        const path = `${pathIn(header, mine as unknown as Record<string, string>)}?does_not_exist=1`
        const response = await api.call('GET', path, { token })
        if (!header.query) return assert.equal(response.body.error?.errors, undefined, response.text)
        assertRejected(response, { parameter: 'does_not_exist' })
      })

    // An order may have unknown members; create-order.test.ts tests that they are ignored.
    if (header.body && header.id !== 'createOrder')
      test(`Q023: ${name} is 400 for an unknown member`, async () => {
        const token = await api.token(await credential())
        const body = { ...(bodies[header.id]?.(mine) as object), does_not_exist: 1 }
        assertRejected(await call(header, token, mine, { body }), { pointer: '/does_not_exist' })
      })

    test(`R208, R209, R210: ${name} with an idempotency key that is missing or has 0, 1, 128 and 129 characters`, async () => {
      const token = await api.token(await credential())
      const unique = crypto.randomUUID()
      const invalid = header.idempotency === 'none' ? header.success.status : 400
      const missing = header.idempotency === 'required' ? 400 : header.success.status
      const withKey = (key: string | undefined) =>
        call({ ...header, idempotency: 'none' }, token, mine, {
          headers: key === undefined ? {} : { 'x-idempotency-key': key },
        })
      for (const [key, status] of [
        [undefined, missing],
        ['', invalid],
        ['k', header.success.status],
        [unique.padEnd(128, 'k'), header.success.status],
        [unique.padEnd(129, 'k'), invalid],
      ] as const) {
        const response = await withKey(key)
        assert.equal(response.status, status, `${key?.length} characters: ${response.text}`)
        if (status === 400) assert.equal(response.body.error.code, 'validation_failed')
      }
    })
  }

  test('R140: an account of another tenant in a body gets the same response as an unknown account', async () => {
    const token = await api.token(await credential())
    const order = (accountId: string) =>
      api.call('POST', `/offerings/${mine.offeringId}/orders`, { token, body: { account_id: accountId, units: '1' } })
    const foreign = await order(theirs.accountId)
    assertRejected(foreign, { pointer: '/account_id' })
    assert.deepEqual(comparable(foreign), comparable(await order(crypto.randomUUID())))
  })

  if (without === 'predicates')
    test('if row-level security is disabled, too, tenants are not isolated: the tests above would fail', async () => {
      const token = await api.token(await credential())
      const path = `/offerings/${theirs.offeringId}`
      assertError(await api.call('GET', path, { token }), 404, 'not_found')
      await installation.rows('alter table cell.offering disable row level security')
      assert.equal((await api.call('GET', path, { token })).status, 200)
    })
}
