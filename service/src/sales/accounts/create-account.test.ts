import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertError, type Call } from '../../../test/harness/api-client.ts'
import { company, individual, taxInformation } from '../../../test/harness/bodies.ts'
import { type RunningApi, TestInstallation } from '../../../test/harness/service.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

describe('create account', () => {
  let installation: TestInstallation
  let api: RunningApi
  let tenantId: string
  let token: string

  before(async () => {
    installation = await TestInstallation.create()
    api = await installation.startApi()
    tenantId = await installation.createTenant('A')
    token = await api.token(await installation.issueCredential(tenantId, { requestsPerMinute: 60_000 }))
  })
  after(() => installation.end())

  const create = (body: unknown, change: Call = {}) =>
    api.call('POST', '/accounts', {
      token,
      body,
      headers: { 'x-idempotency-key': crypto.randomUUID() },
      ...change,
    })
  const accountCount = async () => (await api.call('GET', '/accounts', { token })).body.pagination.count as number
  const membersOf = (object: object) => Object.keys(object).toSorted()

  async function assertRefused(body: unknown, pointer: string): Promise<void> {
    const earlier = await accountCount()
    const answer = await create(body)
    assertError(answer, 400, 'validation_failed')
    assert.equal(answer.body.error.errors[0].pointer, pointer, answer.text)
    assert.equal(await accountCount(), earlier)
  }

  test('R061, R015, R016, R018, R036, R062, R063: an individual is created as sent, with gender empty and both approvals', async () => {
    const answer = await create(individual)
    assert.equal(answer.status, 201)
    const { id, ...rest } = answer.body
    assert.match(id, uuid)
    // Exactly these members, at every level: nothing of ours, and no company.
    assert.deepEqual(rest, {
      ...individual,
      individual: { ...individual.individual, gender: '' },
      kyc: { status: 'NEW' },
      kyb: { status: 'NEW' },
    })
    assert.equal(membersOf(rest.individual).length, 12)
    assert.notEqual((await create(individual)).body.id, id)
  })

  test('R068, R015, R016, R019, R049, Q017: a company is created as sent, without an individual', async () => {
    const answer = await create(company)
    assert.equal(answer.status, 201)
    const { id, ...rest } = answer.body
    assert.match(id, uuid)
    assert.deepEqual(rest, { ...company, kyc: { status: 'NEW' }, kyb: { status: 'NEW' } })
    assert.equal(membersOf(rest.company).length, 11)
  })

  test('Q027: the answer says where the account is, on the prefix of the request', async () => {
    for (const prefix of ['/api', '/_api'] as const) {
      const answer = await create(individual, { prefix })
      assert.equal(answer.headers.get('location'), `${api.baseUrl}${prefix}/accounts/${answer.body.id}`)
      const read = await api.call('GET', `/accounts/${answer.body.id}`, { token, prefix })
      assert.deepEqual(read.body, answer.body)
    }
  })

  test('R062, Q016: every member but the approval must be there', async () => {
    for (const member of ['type', 'individual', 'communication', 'bank_account', 'is_beneficiary'])
      await assertRefused({ ...individual, [member]: undefined }, `/${member}`)
    assert.equal((await create({ ...individual, kyc: undefined })).status, 201)
    assert.equal((await create({ ...company, kyb: undefined })).status, 201)
    await assertRefused({ ...company, company: undefined }, '/company')
  })

  test('R018, R019, Q018: the object of the other type is refused, alone and besides the right one', async () => {
    await assertRefused({ ...individual, company: company.company }, '/company')
    await assertRefused({ ...company, individual: individual.individual }, '/individual')
    const answer = await create({ ...individual, type: 'COMPANY' })
    assertError(answer, 400, 'validation_failed')
    assert.deepEqual(answer.body.error.errors.map(({ pointer }: { pointer: string }) => pointer).toSorted(), [
      '/company',
      '/individual',
    ])
  })

  test('R042, R063: gender is empty unless it is given', async () => {
    for (const gender of ['', 'F', 'M', 'D']) {
      const answer = await create({ ...individual, individual: { ...individual.individual, gender } })
      assert.equal(answer.body.individual.gender, gender)
    }
  })

  test('R022: tax information that was not given is absent, not null', async () => {
    assert.ok(!('tax_information' in (await create(individual)).body))
    const answer = await create({ ...individual, tax_information: taxInformation })
    assert.deepEqual(answer.body.tax_information, taxInformation)
    const read = await api.call('GET', `/accounts/${answer.body.id}`, { token })
    assert.deepEqual(read.body, answer.body)
  })

  test('R020, R064, R065, Q020, Q022: an approval may be empty and is then NEW; a status that is given is honoured', async () => {
    for (const body of [individual, company, { ...individual, kyc: undefined, kyb: {} }]) {
      const answer = await create(body)
      assert.deepEqual([answer.body.kyc, answer.body.kyb], [{ status: 'NEW' }, { status: 'NEW' }])
    }
    for (const status of ['NEW', 'DEACTIVATED', 'PENDING', 'APPROVED', 'REJECTED']) {
      const { kyc, kyb } = (await create({ ...individual, kyc: { status } })).body
      assert.deepEqual([kyc, kyb], [{ status }, { status: 'NEW' }])
    }
    await assertRefused({ ...individual, kyc: { foo: 1 } }, '/kyc/foo')
    await assertRefused({ ...individual, kyc: { status: 'X' } }, '/kyc/status')
    await assertRefused({ ...individual, kyc: { status: null } }, '/kyc/status')
    await assertRefused({ ...individual, kyc: null }, '/kyc')
    await assertRefused({ ...individual, kyc: [] }, '/kyc')
  })

  test('R066, Q021: kyc and kyb together are refused; either alone goes with either type', async () => {
    await assertRefused({ ...individual, kyc: {}, kyb: {} }, '')
    await assertRefused({ ...company, kyc: { status: 'NEW' }, kyb: { status: 'NEW' } }, '')
    const { kyc, kyb } = (await create({ ...company, kyb: undefined, kyc: { status: 'APPROVED' } })).body
    assert.deepEqual([kyc, kyb], [{ status: 'APPROVED' }, { status: 'NEW' }])
  })

  test('R067: without a key nothing is created', async () => {
    const earlier = await accountCount()
    const answer = await create(individual, { headers: {} })
    assertError(answer, 400, 'validation_failed')
    assert.equal(answer.body.error.errors[0].header, 'X-Idempotency-Key')
    assert.equal(await accountCount(), earlier)
  })

  test('R006, Q029: a body that is no JSON object is 400', async () => {
    for (const body of ['{', '[1]', '"x"', 'null', '']) assertError(await create(body), 400, 'validation_failed')
    assertError(await create(undefined), 400, 'validation_failed')
  })

  test('R069: an unknown member is refused, and an id of the caller is one', async () => {
    await assertRefused({ ...individual, foo: 1 }, '/foo')
    await assertRefused({ ...individual, id: crypto.randomUUID() }, '/id')
    await assertRefused({ ...individual, individual: { ...individual.individual, foo: 1 } }, '/individual/foo')
  })

  test('R097: an individual has firstName and lastName, and no other spelling', async () => {
    const { firstName, lastName, ...rest } = individual.individual
    const answer = await create({ ...individual, individual: { ...rest, firstname: firstName, lastname: lastName } })
    assertError(answer, 400, 'validation_failed')
    assert.deepEqual(answer.body.error.errors.map(({ pointer }: { pointer: string }) => pointer).toSorted(), [
      '/individual/firstName',
      '/individual/firstname',
      '/individual/lastName',
      '/individual/lastname',
    ])
  })

  test('R070, Q024: two accounts may have one e-mail address', async () => {
    const [one, other] = [await create(individual), await create(individual)]
    assert.deepEqual([one.status, other.status], [201, 201])
    assert.notEqual(one.body.id, other.body.id)
  })

  test('R071: a new account is there for every credential of its tenant at once, and for no other tenant', async () => {
    const { body } = await create(individual)
    const empty = (bearer: string) =>
      api.call('PATCH', `/accounts/${body.id}`, {
        token: bearer,
        body: {},
        headers: { 'x-idempotency-key': crypto.randomUUID() },
      })
    const colleague = await empty(await api.token(await installation.issueCredential(tenantId)))
    assert.deepEqual([colleague.status, colleague.body], [200, body])
    const stranger = await api.token(await installation.issueCredential(await installation.createTenant('B')))
    assertError(await empty(stranger), 404, 'not_found')
  })

  test('R237: past the limit nothing is created, and the key is still free afterwards', async () => {
    const credential = await installation.issueCredential(tenantId, { requestsPerMinute: 1 })
    const headers = { 'x-idempotency-key': 'kept' }
    const earlier = await accountCount()
    const limited = await api.token(credential)
    assertError(await create(individual, { token: limited, headers }), 429, 'rate_limited')
    assert.equal(await accountCount(), earlier)
    await installation.owner((client) =>
      client.query('update directory.credential set requests_per_minute = 1000 where id = $1', [credential.clientId]),
    )
    // Another process has not yet remembered the old limit.
    const fresh = await installation.startApi()
    const answer = await fresh.call('POST', '/accounts', { token: limited, body: individual, headers })
    assert.deepEqual([answer.status, answer.headers.get('idempotency-replayed')], [201, null])
    assert.equal(await accountCount(), earlier + 1)
  })
})
