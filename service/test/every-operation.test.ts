import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { scopes } from '../src/http/scopes.ts'
import { operations } from '../src/operations.ts'
import { type Answer, assertError } from './harness/api-client.ts'
import { insertOffering } from './harness/offering.ts'
import { type RunningApi, TestInstallation } from './harness/service.ts'

/** Run over the table, so that a new operation cannot escape what is promised of all of them. */
describe('every operation', () => {
  let installation: TestInstallation
  let api: RunningApi
  let tenantA: string
  let tenantB: string
  /** Ids that exist, by path parameter: B's, which A must not reach. */
  const ofB: Record<string, string> = {}

  before(async () => {
    installation = await TestInstallation.create()
    api = await installation.startApi()
    ;[tenantA, tenantB] = [await installation.createTenant('A'), await installation.createTenant('B')]
    ofB['offeringId'] = await insertOffering(installation, tenantB)
  })
  after(() => installation.end())

  const protectedOperations = operations.filter(({ kind }) => kind === 'tenant')
  const pathWith = (path: string, ids: (name: string) => string) =>
    path.replaceAll(/:(\w+)/g, (_, name: string) => ids(name))
  const anywhere = (path: string) => pathWith(path, () => crypto.randomUUID())
  /** What two answers to the same question have in common: all but the id of the request and the count of the limit. */
  const comparable = ({ status, text, headers }: Answer) => ({
    status,
    text,
    headers: [...headers].filter(([name]) => !['x-request-id', 'date', 'ratelimit'].includes(name)),
  })

  for (const { header } of protectedOperations) {
    const name = `${header.method} ${header.path}`

    test(`R192, R227: ${name} without a token is 401 on both prefixes`, async () => {
      for (const prefix of ['/api', '/_api'] as const)
        assertError(await api.call(header.method, anywhere(header.path), { prefix }), 401, 'token_missing')
    })

    test(`R203, R204, R205, R206, R228: ${name} with each scope alone: allowed, or 403 that names what is needed`, async () => {
      const credential = await installation.issueCredential(tenantA)
      for (const scope of scopes) {
        const answer = await api.call(header.method, anywhere(header.path), {
          token: await api.token(credential, [scope]),
        })
        if (header.scopes.includes(scope)) assert.notEqual(answer.status, 403, scope)
        else {
          assertError(answer, 403, 'insufficient_scope')
          for (const needed of header.scopes) assert.match(answer.body.error.message, new RegExp(needed))
        }
      }
    })

    if (header.params)
      test(`R194, Q104: ${name} with another tenant's ids is 404, byte-equal to ids that do not exist`, async () => {
        const token = await api.token(await installation.issueCredential(tenantA))
        const owner = await api.token(await installation.issueCredential(tenantB))
        const theirs = pathWith(header.path, (parameter) => ofB[parameter] ?? assert.fail(`no ${parameter} of B`))
        assert.notEqual((await api.call(header.method, theirs, { token: owner })).status, 404)
        const foreign = await api.call(header.method, theirs, { token })
        const unknown = await api.call(header.method, anywhere(header.path), { token })
        assertError(foreign, 404, 'not_found')
        assert.deepEqual(comparable(foreign), comparable(unknown))
      })

    test(`R230, R234: ${name} is 429 at the 31st request of a minute`, async () => {
      const token = await api.token(await installation.issueCredential(tenantA))
      for (let count = 2; count <= 30; count++)
        assert.notEqual((await api.call(header.method, anywhere(header.path), { token })).status, 429)
      assertError(await api.call(header.method, anywhere(header.path), { token }), 429, 'rate_limited')
    })
  }

  test('R103 to R113: the members of an offering, exactly', async () => {
    const token = await api.token(await installation.issueCredential(tenantB))
    const { body } = await api.call('GET', `/offerings/${ofB['offeringId']}`, { token })
    assert.deepEqual(body, {
      id: ofB['offeringId'],
      name: 'Harbour Bond',
      symbol: 'HARB',
      blockchain: 'ethereum',
      tokenization_platform: 'permissioned-token',
      decimals: 8,
      type: 'DEBT_TOKENIZED',
      price_per_token: '12.5',
      status: 'OPEN',
      currency: 'EUR',
      logo: '',
      token_address: null,
      total_units: '100000000000000',
      available_units: '100000000000000',
      min_units: null,
      max_units: null,
      opens_at: null,
      closes_at: null,
    })
    const draft = await insertOffering(installation, tenantB, { status: 'DRAFT' })
    assertError(await api.call('GET', `/offerings/${draft}`, { token }), 404, 'not_found')
  })

  test('R253: units above 2^53 come out as they are', async () => {
    const token = await api.token(await installation.issueCredential(tenantB))
    const total = String(2n ** 256n - 1n)
    const id = await insertOffering(installation, tenantB, { total_units: total, reserved_units: '1', decimals: 0 })
    const { body } = await api.call('GET', `/offerings/${id}`, { token })
    assert.deepEqual([body.total_units, body.available_units], [total, String(2n ** 256n - 2n)])
  })
})
