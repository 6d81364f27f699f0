import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { disableTenant } from '../src/access/tenants/tenant.sql.ts'
import { operatorOperations } from '../src/operator-operations.ts'
import { isAtLeast, roles } from '../src/platform/api/declare/roles.ts'
import { inDirectoryTransaction } from '../src/platform/db/tenant-transaction.ts'
import { type Answer, assertError, type Call } from './harness/api-client.ts'
import { createOperatorWorld, type OperatorWorld, operatorRequests } from './harness/operator-world.ts'
import { type RunningApi, TestInstallation, type TestOperator } from './harness/service.ts'

const ajv = new Ajv2020({
  strict: false,
  formats: { 'date-time': true, date: true, email: true, 'country-code': true, currency: true, uint256: true },
})

/** Which of the two walls between tenants is taken away before the tests. */
interface Walls {
  preload?: string[]
  isWithoutPolicies?: boolean
}

/** Run over the table, so that a new operation cannot escape what is promised of all of them. */
function promisesOfEveryOperation({ preload = [], isWithoutPolicies = false }: Walls): void {
  let installation: TestInstallation
  let api: RunningApi
  let mine: OperatorWorld
  let theirs: OperatorWorld
  let me: TestOperator

  before(async () => {
    installation = await TestInstallation.create()
    api = await installation.startOperatorApi({}, preload)
    ;[mine, theirs] = [await createOperatorWorld(installation, 'A'), await createOperatorWorld(installation, 'B')]
    me = await installation.createOperator(mine.tenantId)
    if (isWithoutPolicies) await installation.owner((client) => client.query(withoutPolicies))
  })
  after(() => installation.end())

  type Header = (typeof operatorOperations)[number]['header']
  type Ids = Readonly<Record<string, string>>

  const pathIn = ({ path }: Header, ids: Ids) =>
    path.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? crypto.randomUUID())
  const requestOf = ({ id }: Header) => {
    const request = operatorRequests[id]
    if (!request) throw new Error(`harness/operator-world.ts does not say what a legal request of ${id} is: add it.`)
    return request
  }

  /** Ids on which the operation succeeds once. A write may need something that nothing has happened to yet. */
  async function freshIds(header: Header): Promise<Ids> {
    const prepared = await requestOf(header).prepare?.(installation, mine, api)
    return { ...mine, ...prepared }
  }

  /** A request that is right in every way, but for what the test changes. */
  function call(header: Header, token: string | undefined, ids: Ids, change: Call = {}): Promise<Answer> {
    const { body: bodyIn, headers = {} } = requestOf(header)
    const body = bodyIn?.({ ...mine, ...ids })
    const given = body === undefined ? {} : { body, headers }
    return api.call(header.method, pathIn(header, ids), { token, fileType: header.success.file, ...given, ...change })
  }

  /** What two answers to the same question have in common: all but the id of the request and the count of the limit. */
  const comparable = ({ status, text, headers }: Answer) => ({
    status,
    text,
    headers: [...headers].filter(([name]) => !['x-request-id', 'date', 'ratelimit'].includes(name)),
  })

  const auditOf = async (requestId: string | null) => {
    const { rows } = await installation.owner((client) =>
      client.query('select actor_type, actor_id from base.audit_log where request_id = $1', [requestId]),
    )
    return rows
  }

  for (const { header } of operatorOperations) {
    const name = `${header.method} ${header.path}`

    test(`${name} answers ${header.success.status} with exactly the declared shape; a write is in the audit log`, async () => {
      const isDeclared = ajv.compile(header.success.body)
      const answer = await call(header, me.token, await freshIds(header))
      assert.equal(answer.status, header.success.status, answer.text)
      // What a file has to be like is for the tests of the operation; that it is one is looked at in every call.
      if (!header.success.file) assert.ok(isDeclared(answer.body), JSON.stringify(isDeclared.errors))
      const rows = await auditOf(answer.headers.get('x-request-id'))
      if (header.method === 'GET') assert.deepEqual(rows, [])
      else {
        assert.ok(rows.length > 0, 'it left no audit record')
        for (const row of rows) assert.deepEqual(row, { actor_type: 'user', actor_id: me.userId })
      }
    })

    test(`${name} without a token, with one that is none, has ended or was revoked is 401`, async () => {
      const { tenantId } = mine
      assertError(await call(header, undefined, mine), 401, 'token_missing')
      assertError(await call(header, 'garbage', mine), 401, 'token_invalid')
      assertError(await call(header, `${me.token.slice(0, -4)}AAAA`, mine), 401, 'token_invalid')
      assertError(await call(header, refused.integrator, mine), 401, 'token_invalid')
      const expired = await installation.createOperator(tenantId, { days: -1 })
      assertError(await call(header, expired.token, mine), 401, 'token_expired')
      const revoked = await installation.createOperator(tenantId)
      await installation.owner((client) =>
        client.query('update directory.personal_token set revoked_at = now() where id = $1', [revoked.tokenId]),
      )
      assertError(await call(header, revoked.token, mine), 401, 'token_revoked')
      const removed = await installation.createOperator(tenantId)
      await installation.owner((client) =>
        client.query('update directory.operator_user set removed_at = now() where id = $1', [removed.userId]),
      )
      assertError(await call(header, removed.token, mine), 401, 'token_revoked')
      const disabled = await installation.createOperator(await installation.createTenant('Disabled'))
      await inDirectoryTransaction(installation.databases, { tenantId: disabled.tenantId, access: 'write' }, (tx) =>
        disableTenant(tx, disabled.tenantId),
      )
      assertError(await call(header, disabled.token, mine), 401, 'token_revoked')
    })

    test(`${name} with each role: allowed, or 403 that names what is needed`, async () => {
      for (const role of roles) {
        const caller = await installation.createOperator(mine.tenantId, { role })
        // With ids that do not exist, so that nothing happens; the caller's own where it may do more to itself.
        const own: Ids = requestOf(header).isOwnForEverybody ? { userId: caller.userId } : {}
        const answer = await call(header, caller.token, own)
        if (isAtLeast(role, header.role)) assert.notEqual(answer.status, 403, `${role}: ${answer.text}`)
        else {
          assertError(answer, 403, 'insufficient_role')
          assert.match(answer.body.error.message, new RegExp(header.role))
        }
      }
    })

    if (header.params)
      test(`${name} with another tenant's ids is 404, byte-equal to ids that do not exist`, async () => {
        const unknown = await call(header, me.token, {})
        assertError(unknown, 404, 'not_found')
        assert.deepEqual(comparable(await call(header, me.token, theirs as unknown as Ids)), comparable(unknown))
        // The parent is mine and the child is theirs, and the other way round.
        const names = [...header.path.matchAll(/:(\w+)/g)].map(([, parameter = '']) => parameter)
        if (names.length < 2) return
        for (const foreign of names) {
          const mixed = { ...mine, [foreign]: (theirs as unknown as Ids)[foreign] ?? '' }
          assertError(await call(header, me.token, mixed), 404, 'not_found')
        }
      })

    if (header.method === 'GET')
      test(`${name} shows nothing of another tenant`, async () => {
        // The oldest of a list, which are those that were there before the tests made more.
        const query = header.query ? '?limit=50&direction=asc' : ''
        const { status, text } = await api.call('GET', pathIn(header, mine) + query, { token: me.token })
        assert.equal(status, 200, text)
        for (const [what, id] of Object.entries(theirs)) assert.ok(!text.includes(id), `${what} of another tenant`)
      })

    for (const parameter of Object.keys(header.params?.properties ?? {}))
      test(`${name} is 400 for a ${parameter} that is no UUID`, async () => {
        const answer = await call(header, me.token, { ...mine, [parameter]: 'not-a-uuid' })
        assertError(answer, 400, 'validation_failed')
        assert.equal(answer.body.error.errors[0].parameter, parameter)
      })

    test(`${name} is 400 for a parameter that does not exist`, async () => {
      const { body: bodyIn, headers = {} } = requestOf(header)
      const body = bodyIn?.(mine)
      const path = `${pathIn(header, mine as unknown as Ids)}?does_not_exist=1`
      const answer = await api.call(header.method, path, {
        token: me.token,
        ...(body === undefined ? {} : { body, headers }),
      })
      assertError(answer, 400, 'validation_failed')
      assert.equal(answer.body.error.errors[0].parameter, 'does_not_exist')
    })

    if (header.body)
      test(`${name} is 400 for a member that does not exist`, async () => {
        const body = { ...(requestOf(header).body?.(mine) as object), does_not_exist: 1 }
        const answer = await call(header, me.token, mine as unknown as Ids, { body })
        assertError(answer, 400, 'validation_failed')
        assert.equal(answer.body.error.errors[0].pointer, '/does_not_exist')
      })
  }

  const refused = {
    // Of the other API: signed by us, and nobody's personal token.
    integrator: 'eyJhbGciOiJIUzI1NiJ9.e30.ZRrHA1JJJW8opsbCGfG_HACGpVUMN_a9IV7pAx_Zmeo',
  }

  test('the requests that are described are those of the table, no more', () => {
    const ids = operatorOperations.map(({ header }) => header.id)
    assert.deepEqual(
      Object.keys(operatorRequests).filter((id) => !ids.includes(id)),
      [],
    )
  })

  if (preload.length > 0)
    test('without row-level security either, the walls are gone: the tests above would see it', async () => {
      for (const [path, table] of [
        [`/offerings/${theirs.offeringId}`, 'cell.offering'],
        [`/credentials/${theirs.clientId}`, 'directory.credential'],
      ]) {
        assertError(await api.call('GET', `${path}`, { token: me.token }), 404, 'not_found')
        await installation.owner((client) => client.query(`alter table ${table} disable row level security`))
        assert.equal((await api.call('GET', `${path}`, { token: me.token })).status, 200)
      }
    })
}

const withoutPolicies = `
  do $$
  declare walled regclass;
  begin
    for walled in
      select oid from pg_class
      where relrowsecurity and relnamespace in ('base'::regnamespace, 'cell'::regnamespace, 'directory'::regnamespace)
    loop
      execute format('alter table %s no force row level security, disable row level security', walled);
    end loop;
  end $$`

describe('every operation of operators', () => promisesOfEveryOperation({}))

describe('every operation of operators, with row-level security taken off the tables', () =>
  promisesOfEveryOperation({ isWithoutPolicies: true }))

describe('every operation of operators, with the tenant predicates taken out of the SQL', () =>
  promisesOfEveryOperation({ preload: [fileURLToPath(new URL('./harness/without-predicates.ts', import.meta.url))] }))
