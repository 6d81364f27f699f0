import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { IssuedCredential } from '../src/access/credentials/issue-credential.ts'
import { operations } from '../src/operations.ts'
import { scopes } from '../src/platform/api/declare/scopes.ts'
import { type Answer, assertError, type Call } from './harness/api-client.ts'
import { benefitingPerson, individual } from './harness/bodies.ts'
import { type RunningApi, TestInstallation } from './harness/service.ts'
import { createWorld, type World } from './harness/world.ts'

/** A legal body for each operation that takes one. */
const bodies: Record<string, (world: World) => unknown> = {
  createAccount: () => individual,
  updateAccount: () => ({ communication: { email: 'new@example.com', email_confirmed: false } }),
  createBenefitingPerson: () => benefitingPerson,
  createOrder: ({ accountId }) => ({ account_id: accountId, units: '1000' }),
}

const ajv = new Ajv2020({
  strict: false,
  formats: { 'date-time': true, date: true, email: true, 'country-code': true },
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
  let mine: World
  let theirs: World

  before(async () => {
    installation = await TestInstallation.create()
    api = await installation.startApi({}, preload)
    ;[mine, theirs] = [await createWorld(installation, api, 'A'), await createWorld(installation, api, 'B')]
  })
  before(async () => {
    if (isWithoutPolicies) await installation.owner((client) => client.query(withoutPolicies))
  })
  after(() => installation.end())

  const protectedOperations = operations.filter(({ kind }) => kind === 'tenant')
  type Header = (typeof protectedOperations)[number]['header']

  const pathIn = ({ path }: Header, ids: Partial<Record<string, string>>) =>
    path.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? crypto.randomUUID())
  const credential = (more: Parameters<TestInstallation['issueCredential']>[1] = {}): Promise<IssuedCredential> =>
    installation.issueCredential(mine.tenantId, more)
  const manyRequests = { requestsPerMinute: 1_000 }

  /** A request that is right in every way, but for what the test changes. */
  function call(header: Header, token: string | undefined, ids: Partial<World>, change: Call = {}): Promise<Answer> {
    const body = bodies[header.id]?.(mine)
    const key = header.idempotency === 'required' ? { 'x-idempotency-key': crypto.randomUUID() } : undefined
    return api.call(header.method, pathIn(header, ids as Record<string, string>), {
      token,
      ...(body === undefined ? {} : { body }),
      ...change,
      headers: { ...key, ...change.headers },
    })
  }

  /** What two answers to the same question have in common: all but the id of the request and the count of the limit. */
  const comparable = ({ status, text, headers }: Answer) => ({
    status,
    text,
    headers: [...headers].filter(([name]) => !['x-request-id', 'date', 'ratelimit'].includes(name)),
  })

  for (const { header } of protectedOperations) {
    const name = `${header.method} ${header.path}`
    const ofOfferings = ['listOfferings', 'getOffering'].includes(header.id) ? 'R112, R204, ' : ''

    test(`R001, R003, R007, R245, R246: ${name} answers ${header.success.status} with exactly the declared shape, on both prefixes`, async () => {
      const token = await api.token(await credential())
      const isDeclared = ajv.compile(header.success.body)
      for (const prefix of ['/api', '/_api'] as const) {
        const answer = await call(header, token, mine, { prefix })
        assert.equal(answer.status, header.success.status, answer.text)
        assert.ok(isDeclared(answer.body), JSON.stringify(isDeclared.errors))
      }
    })

    test(`R192, R227: ${name} without a token is 401 on both prefixes`, async () => {
      for (const prefix of ['/api', '/_api'] as const)
        assertError(await call(header, undefined, mine, { prefix }), 401, 'token_missing')
    })

    test(`${ofOfferings}R203, R205, R206, R228: ${name} with each scope alone: allowed, or 403 that names what is needed`, async () => {
      const holder = await credential()
      for (const scope of scopes) {
        const answer = await call(header, await api.token(holder, [scope]), {})
        if (header.scopes.includes(scope)) assert.notEqual(answer.status, 403, scope)
        else {
          assertError(answer, 403, 'insufficient_scope')
          for (const needed of header.scopes) assert.match(answer.body.error.message, new RegExp(needed))
        }
      }
    })

    if (header.params)
      test(`R194, R114, Q104: ${name} with another tenant's ids is 404, byte-equal to ids that do not exist`, async () => {
        const token = await api.token(await credential(manyRequests))
        const unknown = await call(header, token, {})
        assertError(unknown, 404, 'not_found')
        assert.deepEqual(comparable(await call(header, token, theirs)), comparable(unknown))
        // The parent is mine and the child is theirs, and the other way round.
        const names = [...header.path.matchAll(/:(\w+)/g)].map(([, parameter = '']) => parameter)
        if (names.length < 2) return
        for (const foreign of names)
          assertError(
            await call(header, token, { ...mine, [foreign]: theirs[foreign as keyof World] }),
            404,
            'not_found',
          )
      })

    for (const parameter of Object.keys(header.params?.properties ?? {}))
      test(`R009: ${name} is 400 for a ${parameter} that is no UUID`, async () => {
        const token = await api.token(await credential())
        const answer = await call(header, token, { ...mine, [parameter]: 'not-a-uuid' })
        assertError(answer, 400, 'validation_failed')
        assert.equal(answer.body.error.errors[0].parameter, parameter)
      })

    test(`R230, R234, R236: ${name} is 429 at the 31st request of a minute`, async () => {
      const token = await api.token(await credential())
      const answers = await Promise.all(Array.from({ length: 30 }, () => call(header, token, {})))
      assert.equal(answers.filter(({ status }) => status === 429).length, 1)
    })

    test(`R008, Q006: ${name} is 400 for a parameter that does not exist`, async () => {
      const token = await api.token(await credential())
      const path = `${pathIn(header, mine as unknown as Record<string, string>)}?does_not_exist=1`
      const body = bodies[header.id]?.(mine)
      const answer = await api.call(header.method, path, {
        token,
        ...(body === undefined ? {} : { body }),
        headers: { 'x-idempotency-key': crypto.randomUUID() },
      })
      assertError(answer, 400, 'validation_failed')
      assert.equal(answer.body.error.errors[0].parameter, 'does_not_exist')
    })

    if (header.body)
      test(`Q023: ${name} is 400 for a member that does not exist`, async () => {
        const token = await api.token(await credential())
        const body = { ...(bodies[header.id]?.(mine) as object), does_not_exist: 1 }
        const answer = await call(header, token, mine, { body })
        assertError(answer, 400, 'validation_failed')
        assert.equal(answer.body.error.errors[0].pointer, '/does_not_exist')
      })

    test(`R208, R209, R210: ${name} with a key that is missing, empty, 1, 128 and 129 characters long`, async () => {
      const token = await api.token(await credential())
      const unique = crypto.randomUUID()
      const refusal = header.idempotency === 'none' ? header.success.status : 400
      const missing = header.idempotency === 'required' ? 400 : header.success.status
      const body = bodies[header.id]?.(mine)
      const withKey = (key: string | undefined) =>
        api.call(header.method, pathIn(header, mine as unknown as Record<string, string>), {
          token,
          ...(body === undefined ? {} : { body }),
          headers: key === undefined ? {} : { 'x-idempotency-key': key },
        })
      for (const [key, status] of [
        [undefined, missing],
        ['', refusal],
        ['k', header.success.status],
        [unique.padEnd(128, 'k'), header.success.status],
        [unique.padEnd(129, 'k'), refusal],
      ] as const) {
        const answer = await withKey(key)
        assert.equal(answer.status, status, `${key?.length} characters: ${answer.text}`)
        if (status === 400) assert.equal(answer.body.error.code, 'validation_failed')
      }
    })
  }

  test('R140: an account of another tenant in a body is answered as one that does not exist', async () => {
    const token = await api.token(await credential())
    const order = (accountId: string) =>
      api.call('POST', `/offerings/${mine.offeringId}/orders`, { token, body: { account_id: accountId, units: '1' } })
    const foreign = await order(theirs.accountId)
    assertError(foreign, 400, 'validation_failed')
    assert.equal(foreign.body.error.errors[0].pointer, '/account_id')
    assert.deepEqual(comparable(foreign), comparable(await order(crypto.randomUUID())))
  })

  if (preload.length > 0)
    test('without row-level security either, the walls are gone: the tests above would see it', async () => {
      const token = await api.token(await credential())
      const path = `/offerings/${theirs.offeringId}`
      assertError(await api.call('GET', path, { token }), 404, 'not_found')
      await installation.owner((client) => client.query('alter table cell.offering disable row level security'))
      assert.equal((await api.call('GET', path, { token })).status, 200)
    })
}

const withoutPolicies = `
  do $$
  declare walled regclass;
  begin
    for walled in select oid from pg_class where relrowsecurity and relnamespace = 'cell'::regnamespace loop
      execute format('alter table %s no force row level security, disable row level security', walled);
    end loop;
  end $$`

describe('every operation', () => promisesOfEveryOperation({}))

describe('every operation, with row-level security taken off the tables', () =>
  promisesOfEveryOperation({ isWithoutPolicies: true }))

describe('every operation, with the tenant predicates taken out of the SQL', () =>
  promisesOfEveryOperation({ preload: [fileURLToPath(new URL('./harness/without-predicates.ts', import.meta.url))] }))
