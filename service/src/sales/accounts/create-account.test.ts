import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { company, individual, taxInformation } from '../../../test/harness/data/bodies.ts'
import { TestTenant } from '../../../test/harness/data/tenant.ts'
import { assertError, assertInvalid, type Call } from '../../../test/harness/installation/api-client.ts'
import { useSharedApis } from '../../../test/harness/installation/running-installation.ts'
import { pluck } from '../../../test/harness/pluck.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

describe('create account', async () => {
  const { installation, api } = await useSharedApis()
  const { id: tenantId, token } = await TestTenant.create(installation, api)

  const withKey = () => ({ 'x-idempotency-key': crypto.randomUUID() })
  const create = (body: unknown, change: Call = {}) =>
    api.call('POST', '/accounts', { token, body, headers: withKey(), ...change })
  const accountCount = async () => (await api.call('GET', '/accounts', { token })).body.pagination.count as number

  async function assertRejected(body: unknown, pointer: string): Promise<void> {
    const earlier = await accountCount()
    assertInvalid(await create(body), pointer)
    assert.equal(await accountCount(), earlier)
  }

  test('R061, R015, R016, R018, R036, R062, R063: an individual account has the members as sent, an empty gender and both approvals', async () => {
    const response = await create(individual)
    assert.equal(response.status, 201)
    const { id, ...rest } = response.body
    assert.match(id, uuid)
    // Exactly these members at every level: no internal ones, and no company.
    assert.deepEqual(rest, {
      ...individual,
      individual: { ...individual.individual, gender: '' },
      kyc: { status: 'NEW' },
      kyb: { status: 'NEW' },
    })
    assert.equal(Object.keys(rest.individual).length, 12)
    assert.notEqual((await create(individual)).body.id, id)
  })

  test('R068, R015, R016, R019, R049, Q017: a company account has the members as sent and no individual', async () => {
    const response = await create(company)
    assert.equal(response.status, 201)
    const { id, ...rest } = response.body
    assert.match(id, uuid)
    assert.deepEqual(rest, { ...company, kyc: { status: 'NEW' }, kyb: { status: 'NEW' } })
    assert.equal(Object.keys(rest.company).length, 11)
  })

  test('Q027: the Location header of the response has the path prefix of the request', async () => {
    for (const prefix of ['/api', '/_api'] as const) {
      const response = await create(individual, { prefix })
      assert.equal(response.headers.get('location'), `${api.baseUrl}${prefix}/accounts/${response.body.id}`)
      const read = await api.call('GET', `/accounts/${response.body.id}`, { token, prefix })
      assert.deepEqual(read.body, response.body)
    }
  })

  test('R062, Q016: every member except the approval is required', async () => {
    for (const member of ['type', 'individual', 'communication', 'bank_account', 'is_beneficiary'])
      await assertRejected({ ...individual, [member]: undefined }, `/${member}`)
    assert.equal((await create({ ...individual, kyc: undefined })).status, 201)
    assert.equal((await create({ ...company, kyb: undefined })).status, 201)
    await assertRejected({ ...company, company: undefined }, '/company')
  })

  test('R018, R019, Q018: the object of the other type is rejected, alone and beside the right one', async () => {
    await assertRejected({ ...individual, company: company.company }, '/company')
    await assertRejected({ ...company, individual: individual.individual }, '/individual')
    const response = await create({ ...individual, type: 'COMPANY' })
    assertInvalid(response)
    assert.deepEqual(pluck(response.body.error.errors, 'pointer').toSorted(), ['/company', '/individual'])
  })

  test('R042, R063: gender is empty unless it is sent', async () => {
    for (const gender of ['', 'F', 'M', 'D']) {
      const response = await create({ ...individual, individual: { ...individual.individual, gender } })
      assert.equal(response.body.individual.gender, gender)
    }
  })

  test('R022: tax information that was not sent is absent, not null', async () => {
    assert.ok(!('tax_information' in (await create(individual)).body))
    const response = await create({ ...individual, tax_information: taxInformation })
    assert.deepEqual(response.body.tax_information, taxInformation)
    const read = await api.call('GET', `/accounts/${response.body.id}`, { token })
    assert.deepEqual(read.body, response.body)
  })

  test('R020, R064, R065, Q020, Q022: an empty approval becomes NEW; a status that is sent is used', async () => {
    for (const body of [individual, company, { ...individual, kyc: undefined, kyb: {} }]) {
      const response = await create(body)
      assert.deepEqual([response.body.kyc, response.body.kyb], [{ status: 'NEW' }, { status: 'NEW' }])
    }
    for (const status of ['NEW', 'DEACTIVATED', 'PENDING', 'APPROVED', 'REJECTED']) {
      const { kyc, kyb } = (await create({ ...individual, kyc: { status } })).body
      assert.deepEqual([kyc, kyb], [{ status }, { status: 'NEW' }])
    }
    await assertRejected({ ...individual, kyc: { foo: 1 } }, '/kyc/foo')
    await assertRejected({ ...individual, kyc: { status: 'X' } }, '/kyc/status')
    await assertRejected({ ...individual, kyc: { status: null } }, '/kyc/status')
    await assertRejected({ ...individual, kyc: null }, '/kyc')
    await assertRejected({ ...individual, kyc: [] }, '/kyc')
  })

  test('Q020: a token without the scope account.update cannot create an account that is APPROVED', async () => {
    const credential = await installation.issueCredential(tenantId, { requestsPerMinute: 60_000 })
    const creator = await api.token(credential, ['account.create', 'account.read'])
    const earlier = await accountCount()
    for (const body of [
      { ...individual, kyc: { status: 'APPROVED' } },
      { ...company, kyb: { status: 'APPROVED' } },
      { ...individual, kyc: undefined, kyb: { status: 'APPROVED' } },
    ]) {
      const response = await create(body, { token: creator })
      assertError(response, 403, 'insufficient_scope')
      assert.match(response.body.error.message, /account\.update/)
    }
    assert.equal(await accountCount(), earlier)
    for (const status of ['NEW', 'PENDING', 'REJECTED', 'DEACTIVATED'])
      assert.equal((await create({ ...individual, kyc: { status } }, { token: creator })).status, 201)
  })

  test('R066, Q021: kyc and kyb together are rejected; each alone is valid for both types', async () => {
    await assertRejected({ ...individual, kyc: {}, kyb: {} }, '')
    await assertRejected({ ...company, kyc: { status: 'NEW' }, kyb: { status: 'NEW' } }, '')
    const { kyc, kyb } = (await create({ ...company, kyb: undefined, kyc: { status: 'APPROVED' } })).body
    assert.deepEqual([kyc, kyb], [{ status: 'APPROVED' }, { status: 'NEW' }])
  })

  test('R067: without an idempotency key no account is created', async () => {
    const earlier = await accountCount()
    assertInvalid(await create(individual, { headers: {} }), 'X-Idempotency-Key')
    assert.equal(await accountCount(), earlier)
  })

  test('R006, Q029: a body that is not a JSON object is 400', async () => {
    for (const body of ['{', '[1]', '"x"', 'null', '']) assertInvalid(await create(body))
    assertInvalid(await create(undefined))
  })

  test('R069: an unknown member is rejected, including an id sent by the caller', async () => {
    await assertRejected({ ...individual, foo: 1 }, '/foo')
    await assertRejected({ ...individual, id: crypto.randomUUID() }, '/id')
    await assertRejected({ ...individual, individual: { ...individual.individual, foo: 1 } }, '/individual/foo')
  })

  test('R097: firstName and lastName are the only accepted spellings', async () => {
    const { firstName, lastName, ...rest } = individual.individual
    const response = await create({ ...individual, individual: { ...rest, firstname: firstName, lastname: lastName } })
    assertInvalid(response)
    assert.deepEqual(pluck(response.body.error.errors, 'pointer').toSorted(), [
      '/individual/firstName',
      '/individual/firstname',
      '/individual/lastName',
      '/individual/lastname',
    ])
  })

  test('R070, Q024: two accounts may have the same e-mail address', async () => {
    const [one, other] = [await create(individual), await create(individual)]
    assert.deepEqual([one.status, other.status], [201, 201])
    assert.notEqual(one.body.id, other.body.id)
  })

  test('R071: a new account is visible at once to every credential of its tenant, and to no other tenant', async () => {
    const { body } = await create(individual)
    const sendEmptyChange = (bearer: string) =>
      api.call('PATCH', `/accounts/${body.id}`, { token: bearer, body: {}, headers: withKey() })
    const sameTenant = await sendEmptyChange(await api.token(await installation.issueCredential(tenantId)))
    assert.deepEqual([sameTenant.status, sameTenant.body], [200, body])
    const otherTenant = await api.token(await installation.issueCredential(await installation.createTenant('B')))
    assertError(await sendEmptyChange(otherTenant), 404, 'not_found')
  })

  test('R237: above the rate limit no account is created, and the idempotency key stays unused', async () => {
    const credential = await installation.issueCredential(tenantId, { requestsPerMinute: 1 })
    const headers = { 'x-idempotency-key': 'unused' }
    const earlier = await accountCount()
    const limited = await api.token(credential)
    assertError(await create(individual, { token: limited, headers }), 429, 'rate_limited')
    assert.equal(await accountCount(), earlier)
    await installation.rows('update directory.credential set requests_per_minute = 1000 where id = $1', [
      credential.clientId,
    ])
    // A new process has not cached the old limit.
    const fresh = await installation.startApi()
    const response = await fresh.call('POST', '/accounts', { token: limited, body: individual, headers })
    assert.deepEqual([response.status, response.headers.get('idempotency-replayed')], [201, null])
    assert.equal(await accountCount(), earlier + 1)
  })
})
