import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { operatorOperations } from '../../../src/operator-operations.ts'
import { type Duty, duties } from '../../../src/platform/api/declare/duties.ts'
import { accessOf } from '../../../src/platform/api/pipeline/runner.ts'
import { type ApiResponse, assertError, type Call } from '../installation/api-client.ts'
import type { RunningApi } from '../installation/running-api.ts'
import { TestInstallation } from '../installation/test-installation.ts'
import type { TestOperator } from '../installation/test-users.ts'
import type { OperatorWorld } from '../operator-requests/operator-request.ts'
import { operatorRequestOf, operatorRequests } from '../operator-requests/operator-requests.ts'
import { createOperatorWorld } from '../operator-requests/operator-world.ts'
import { concurrently } from './concurrently.ts'
import { ajv, assertForeignIsUnknown, assertRejected, pathIn } from './expectations.ts'
import { disablePolicies, type Protection, preloadWithout } from './protection.ts'
import { createRejectedUsers, type RejectedUsers } from './rejected-users.ts'

const userCount = 6

/**
 * Runs over the operations table, so that every new operation is tested, too. One of the two protections that isolate
 * tenants can be disabled before the tests.
 */
export function testEveryOperatorOperation({ without }: { without?: Protection } = {}): void {
  let installation: TestInstallation
  let api: RunningApi
  let mine: OperatorWorld
  let theirs: OperatorWorld
  /** Callers that operations take in turns, because one person may send only 600 requests a minute. */
  const users: TestOperator[] = []
  let second: TestOperator
  let rejected: RejectedUsers
  const withDuty = new Map<Duty, TestOperator>()

  before(async () => {
    installation = await TestInstallation.create()
    api = await installation.startOperatorApiProcess({}, preloadWithout(without))
    ;[mine, theirs] = [await createOperatorWorld(installation, 'A'), await createOperatorWorld(installation, 'B')]
    for (let count = 0; count < userCount; count++) users.push(await installation.createOperator(mine.tenantId))
    // The first passkey can be registered only right after signing in: extends that time beyond the other tests.
    await installation.rows(
      `update directory.operator_session set authenticated_at = now() + interval '1 hour' where id = any ($1)`,
      [users.map(({ sessionId }) => sessionId)],
    )
    if (without === 'policies') await disablePolicies(installation, ['base', 'cell', 'directory'])
  })
  if (without === undefined)
    before(async () => {
      second = await installation.createOperator(mine.tenantId)
      rejected = await createRejectedUsers(installation, mine.tenantId)
      for (const duty of duties)
        withDuty.set(duty, await installation.createOperator(mine.tenantId, { duties: [duty] }))
    })
  after(() => installation.end())

  type Header = (typeof operatorOperations)[number]['header']
  type Ids = Readonly<Record<string, string>>

  const idParameters = ({ params }: Header) =>
    Object.entries(params?.properties ?? {}).flatMap(([name, schema]) =>
      'format' in schema && schema.format === 'uuid' ? [name] : [],
    )

  /** Returns ids for which the operation succeeds. Some writes succeed only once and need new resources. */
  async function freshIds(header: Header, me: TestOperator): Promise<Ids> {
    const prepared = await operatorRequestOf(header).prepare?.(installation, mine, api, me)
    return idsIn(header, { ...mine, ...prepared })
  }

  /** Returns the ids of a world by the names of the operation's path parameters. */
  const idsIn = (header: Header, world: Ids): Ids => ({ ...world, ...operatorRequestOf(header).idsOf?.(world) })

  /** Sends a valid request, except for the test's change. */
  function call(
    header: Header,
    who: TestOperator | string | undefined,
    ids: Ids,
    change: Call = {},
  ): Promise<ApiResponse> {
    const { body: bodyIn, headers = {} } = operatorRequestOf(header)
    const body = bodyIn?.({ ...mine, ...ids })
    const given = body === undefined ? {} : { body, headers }
    const path = pathIn(header, ids) + queryWith(header, [])
    return api.call(header.method, path, {
      ...proofOf(header, who),
      fileType: header.success.file,
      ...given,
      ...change,
    })
  }

  /** Returns the required query parameters, and more. */
  function queryWith(header: Header, more: readonly string[]): string {
    const parameters = [...(operatorRequestOf(header).query?.(mine) ?? []), ...more]
    return parameters.length > 0 ? `?${parameters.join('&')}` : ''
  }

  /** Returns a token, or the session that the operation demands. */
  const proofOf = ({ session }: Header, who: TestOperator | string | undefined): Call =>
    typeof who === 'object' ? (session ? { cookie: who.cookie } : { token: who.token }) : { token: who }

  const auditOf = async (requestId: string | null) => {
    const rows = await installation.rows(
      'select actor_type, actor_id, confirmed_by from base.audit_log where request_id = $1',
      [requestId],
    )
    return rows
  }

  // An access token of the integrator API is not a personal access token.
  const integratorToken = 'eyJhbGciOiJIUzI1NiJ9.e30.ZRrHA1JJJW8opsbCGfG_HACGpVUMN_a9IV7pAx_Zmeo'

  for (const [order, { header, database }] of operatorOperations.entries()) {
    const name = `${header.method} ${header.path}`
    const me = () => users[order % userCount] as TestOperator

    if (idParameters(header).length > 0)
      test(`${name} with another tenant's ids is 404, byte for byte the response for unknown ids`, async () => {
        await assertForeignIsUnknown(header, { mine, theirs: idsIn(header, theirs) }, (ids) => call(header, me(), ids))
      })

    // A waiting device belongs to no tenant yet, and is found only with its code.
    if (accessOf(header) === 'read' && header.id !== 'openDeviceAuthorization')
      test(`${name} returns nothing of another tenant`, async () => {
        // Reads the oldest entries of a list: they existed before the tests created more.
        const query = queryWith(header, header.query?.properties['limit'] ? ['limit=50', 'direction=asc'] : [])
        const path = pathIn(header, idsIn(header, mine)) + query
        const { status, text } = await api.call(header.method, path, {
          ...proofOf(header, me()),
          body: header.body && ('required' in header.body ? operatorRequestOf(header).body?.(mine) : {}),
        })
        assert.equal(status, 200, text)
        for (const [parameter, id] of Object.entries(theirs))
          assert.ok(!text.includes(id), `${parameter} of another tenant`)
      })

    // Everything else behaves the same with one protection as with both.
    if (without !== undefined) continue

    test(`${name} returns ${header.success.status} with exactly the declared schema; a write is audited`, async () => {
      const isValid = ajv.compile(header.success.body)
      const response = await call(header, me(), await freshIds(header, me()))
      const rows = await auditOf(response.headers.get('x-request-id'))
      if (accessOf(header) === 'read') assert.deepEqual(rows, [])
      else {
        assert.ok(rows.length > 0, 'the write left no audit record')
        for (const row of rows)
          if (header.id !== 'confirmApproval' && header.id !== 'confirmDirectoryApproval')
            assert.deepEqual(row, { actor_type: 'user', actor_id: me().userId, confirmed_by: null })
      }
      const body = header.approval === 'always' ? await confirmed(database, response) : response.body
      if (header.approval !== 'always') assert.equal(response.status, header.success.status, response.text)
      // The tests of the operation check the content of a file; every call checks its headers.
      if (!header.success.file) assert.ok(isValid(body), JSON.stringify(isValid.errors))
    })

    /** Returns the operation's result after a second person has confirmed it; the audit log names both. */
    async function confirmed(in_: 'cell' | 'directory', proposal: ApiResponse): Promise<unknown> {
      assert.equal(proposal.status, 202, proposal.text)
      const path = `/${in_ === 'cell' ? '' : 'directory-'}approvals/${proposal.body.approval_id}/confirm`
      const response = await api.call('POST', path, { cookie: second.cookie })
      assert.equal(response.status, 200, response.text)
      const rows = await auditOf(response.headers.get('x-request-id'))
      const both = { actor_type: 'user', actor_id: me().userId, confirmed_by: second.userId }
      assert.ok(
        rows.some((row) => JSON.stringify(row) === JSON.stringify(both)),
        JSON.stringify(rows),
      )
      return response.body.result
    }

    test(`${name} is 401 without a token and with a malformed, expired or revoked token`, async () => {
      const proofs = [
        [undefined, 'token_missing'],
        ['garbage', 'token_invalid'],
        [`${me().token.slice(0, -4)}AAAA`, 'token_invalid'],
        [integratorToken, 'token_invalid'],
        [rejected.expired.token, 'token_expired'],
        [rejected.revoked.token, 'token_revoked'],
        [rejected.removed.token, 'token_revoked'],
        [rejected.ofDisabledTenant.token, 'token_revoked'],
      ] as const
      const responses = await concurrently(proofs, ([token]) => call(header, token, mine))
      for (const [index, response] of responses.entries()) assertError(response, 401, proofs[index]?.[1] ?? '')
    })

    test(`${name} with each duty: allowed, or 403 that names the required duty`, async () => {
      const responses = await concurrently(duties, async (duty) => {
        // An allowed call may change its caller, for example end the session.
        const caller =
          duty === header.duty
            ? await installation.createOperator(mine.tenantId, { duties: [duty] })
            : (withDuty.get(duty) as TestOperator)
        // Uses unknown ids, so that nothing changes, or the caller's own id if users may do this for themselves.
        return call(header, caller, operatorRequestOf(header).isAllowedForSelf ? { userId: caller.userId } : {})
      })
      for (const [index, response] of responses.entries())
        if (duties[index] === header.duty)
          assert.notEqual(response.body?.error?.code, 'insufficient_duty', `${header.duty}: ${response.text}`)
        else {
          assertError(response, 403, 'insufficient_duty')
          assert.match(response.body.error.message, new RegExp(header.duty))
        }
    })

    for (const parameter of idParameters(header))
      test(`${name} is 400 for a ${parameter} that is not a UUID`, async () => {
        assertRejected(await call(header, me(), { ...mine, [parameter]: 'not-a-uuid' }), { parameter })
      })

    // A write that ignored the parameter would take effect.
    if (header.method === 'GET')
      test(`${name} ${header.query ? 'is 400 for' : 'ignores'} an unknown query parameter`, async () => {
        const path = pathIn(header, idsIn(header, mine)) + queryWith(header, ['does_not_exist=1'])
        const response = await api.call('GET', path, proofOf(header, me()))
        if (!header.query) return assert.equal(response.body.error?.errors, undefined, response.text)
        assertRejected(response, { parameter: 'does_not_exist' })
      })

    if (header.body)
      test(`${name} is 400 for an unknown member`, async () => {
        const body = { ...(operatorRequestOf(header).body?.(mine) as object), does_not_exist: 1 }
        assertRejected(await call(header, me(), mine, { body }), { pointer: '/does_not_exist' })
      })
  }

  test('operatorRequests has no request of an unknown operation', () => {
    const ids = operatorOperations.map(({ header }) => header.id)
    assert.deepEqual(
      Object.keys(operatorRequests).filter((id) => !ids.includes(id)),
      [],
    )
  })

  if (without === 'predicates')
    test('if row-level security is disabled, too, tenants are not isolated: the tests above would fail', async () => {
      for (const [path, table] of [
        [`/offerings/${theirs.offeringId}`, 'cell.offering'],
        [`/credentials/${theirs.clientId}`, 'directory.credential'],
      ]) {
        assertError(await api.call('GET', `${path}`, { token: users[0]?.token }), 404, 'not_found')
        await installation.rows(`alter table ${table} disable row level security`)
        assert.equal((await api.call('GET', `${path}`, { token: users[0]?.token })).status, 200)
      }
    })
}
