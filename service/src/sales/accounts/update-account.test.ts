import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { company, individual, taxInformation } from '../../../test/harness/data/bodies.ts'
import { TestTenant } from '../../../test/harness/data/tenant.ts'
import { assertError, assertInvalid, type Call, callApi } from '../../../test/harness/installation/api-client.ts'
import { useSharedApis } from '../../../test/harness/installation/running-installation.ts'

const communication = { email: 'new@example.com', email_confirmed: false }
const bankAccount = {
  account_holder: 'Someone Else',
  bank: 'Another bank',
  bic: 'ABCDEFGH',
  country: 'FR',
  currency: 'CHF',
  iban: 'FR7630006000011234567890189',
}

/** A valid change of each object. */
const objects = {
  communication,
  bank_account: bankAccount,
  tax_information: taxInformation,
  kyc: { status: 'NEW' },
  kyb: { status: 'NEW' },
}

describe('update account', async () => {
  const { installation, api } = await useSharedApis()
  const tenant = await TestTenant.create(installation, api)

  const withKey = () => ({ 'x-idempotency-key': crypto.randomUUID() })
  const create = async (body: unknown = individual) => (await tenant.post('/accounts', body)).body
  const change = (accountId: string, body: unknown, more: Call = {}) =>
    api.call('PATCH', `/accounts/${accountId}`, { token: tenant.token, body, headers: withKey(), ...more })
  const read = async (accountId: string) => (await tenant.get(`/accounts/${accountId}`)).body

  async function assertRejected(account: { id: string }, body: unknown, pointer: string): Promise<void> {
    assertInvalid(await change(account.id, body), pointer)
    assert.deepEqual(await read(account.id), account)
  }

  for (const [type, body] of [
    ['individual', individual],
    ['company', company],
  ] as const)
    test(`R072, R076, R077, R078, R083, R015, R016: a change of each member of an ${type} account is in the response and in later reads, and nothing else changes`, async () => {
      let account = await create(body)
      const approvals = { kyc: { status: 'APPROVED' }, kyb: { status: 'REJECTED' } }
      for (const [member, value] of Object.entries({ ...objects, ...approvals })) {
        const response = await change(account.id, { [member]: value })
        assert.equal(response.status, 200)
        assert.deepEqual(response.body, { ...account, [member]: value })
        account = response.body
        assert.deepEqual(await read(account.id), account)
      }
      const tax_information = { ...taxInformation, is_subject_to_german_tax: false }
      const several = {
        communication: individual.communication,
        bank_account: individual.bank_account,
        tax_information,
      }
      assert.deepEqual((await change(account.id, several)).body, { ...account, ...several })
    })

  test('R022, R078: tax information is absent until it is sent', async () => {
    const account = await create()
    assert.ok(!('tax_information' in (await change(account.id, {})).body))
    const response = await change(account.id, { tax_information: taxInformation })
    assert.deepEqual(response.body.tax_information, taxInformation)
  })

  test('R083: members that are not sent stay unchanged, byte for byte', async () => {
    const account = await create({ ...individual, tax_information: taxInformation })
    const earlier = await change(account.id, {})
    const response = await change(account.id, { kyc: { status: 'PENDING' } })
    const withoutKyc = (text: string) => text.replace(/"kyc":\{"status":"\w+"\}/, '')
    assert.equal(withoutKyc(response.text), withoutKyc(earlier.text))
    for (const [member, value] of Object.entries(account))
      if (member !== 'kyc') assert.deepEqual(response.body[member], value)
  })

  test('R073: the account id must be a UUID; an unknown one is 404', async () => {
    assertInvalid(await change('abc', {}), 'accountId')
    assertError(await change(crypto.randomUUID(), {}), 404, 'not_found')
    const account = await create()
    assert.deepEqual((await change(account.id.toUpperCase(), {})).body, account)
  })

  test('R074, Q028: an empty change is 200 and returns the account unchanged', async () => {
    const account = await create({ ...individual, tax_information: taxInformation })
    const response = await change(account.id, {})
    assert.deepEqual([response.status, response.body], [200, account])
  })

  test('R006, Q029: a body that is not a JSON object is 400', async () => {
    const account = await create()
    for (const body of ['{', '[]', '"x"', 'null', '', undefined]) {
      assertInvalid(await change(account.id, body))
      assert.deepEqual(await read(account.id), account)
    }
  })

  test('R075, Q033: a member that cannot be changed is rejected as unknown, at every level', async () => {
    const account = await create()
    for (const [member, value] of Object.entries({
      foo: 1,
      type: 'COMPANY',
      individual: individual.individual,
      company: company.company,
      is_beneficiary: true,
      id: account.id,
    }))
      await assertRejected(account, { communication, [member]: value }, `/${member}`)
    for (const [object, value] of Object.entries(objects))
      await assertRejected(account, { [object]: { ...value, foo: 1 } }, `/${object}/foo`)
  })

  test('R025, R032, R076, R077, R078, R086, Q030, Q034: an object is replaced as a whole: 400 if one of its members is missing', async () => {
    const account = await create()
    for (const [object, value] of Object.entries(objects))
      for (const member of Object.keys(value))
        await assertRejected(account, { [object]: { ...value, [member]: undefined } }, `/${object}/${member}`)
    for (const object of ['communication', 'bank_account', 'tax_information', 'kyc', 'kyb'])
      await assertRejected(account, { [object]: null }, `/${object}`)
  })

  test('R079, R080: an approval status that does not exist is rejected', async () => {
    const account = await create()
    for (const member of ['kyc', 'kyb'])
      for (const status of ['approved', 'X', '', null, 1])
        await assertRejected(account, { [member]: { status } }, `/${member}/status`)
  })

  test('R081: kyc and kyb together are rejected and change nothing, also with equal values or other members', async () => {
    const account = await create()
    const [approved, isNew] = [{ status: 'APPROVED' }, { status: 'NEW' }]
    await assertRejected(account, { kyc: approved, kyb: approved }, '')
    await assertRejected(account, { kyc: isNew, kyb: isNew }, '')
    await assertRejected(account, { kyc: approved, kyb: isNew, communication }, '')
  })

  test('R087: a change with one invalid member changes nothing', async () => {
    const account = await create()
    await assertRejected(
      account,
      { communication, bank_account: { ...bankAccount, iban: 'short' } },
      '/bank_account/iban',
    )
    assert.deepEqual((await change(account.id, {})).body, account)
  })

  test('R085: without an idempotency key nothing changes', async () => {
    const account = await create()
    assertInvalid(await change(account.id, { communication }, { headers: {} }), 'X-Idempotency-Key')
    assert.deepEqual(await read(account.id), account)
  })

  test('R084, R233: 401, 429, 403, 400, 404 and 500 in this order of precedence, and nothing changes', async () => {
    const account = await create()
    const bad = { communication: 1 }
    const noScope = await api.token(await installation.issueCredential(tenant.id), ['account.read'])
    const spent = await api.token(await installation.issueCredential(tenant.id, { requestsPerMinute: 1 }), [
      'account.read',
    ])
    assertError(await change(account.id, bad, { token: undefined, headers: {} }), 401, 'token_missing')
    assertError(await change(account.id, bad, { token: 'garbage', headers: {} }), 401, 'token_invalid')
    assertError(await change(account.id, bad, { token: spent, headers: {} }), 429, 'rate_limited')
    assertError(await change(account.id, bad, { token: noScope, headers: {} }), 403, 'insufficient_scope')
    assertInvalid(await change(crypto.randomUUID(), bad))
    assertError(await change(crypto.randomUUID(), { communication }), 404, 'not_found')
    assert.deepEqual(await read(account.id), account)
    // Bank details that cannot be decrypted are an internal error.
    const broken = await create()
    await installation.rows(`update cell.account set bank_account = '\\x00' where id = $1`, [broken.id])
    const response = await callApi(api.baseUrl, 'PATCH', `/accounts/${broken.id}`, {
      token: tenant.token,
      body: { communication },
      headers: withKey(),
    })
    assertError(response, 500, 'internal_error')
    const rows = await installation.rows('select email from cell.account where id = $1', [broken.id])
    assert.deepEqual(rows, [{ email: individual.communication.email }])
  })

  test('concurrent changes of different members are all applied', async () => {
    const account = await create()
    const changes = {
      communication,
      bank_account: bankAccount,
      tax_information: taxInformation,
      kyb: { status: 'PENDING' },
    }
    await Promise.all(Object.entries(changes).map(([member, value]) => change(account.id, { [member]: value })))
    assert.deepEqual(await read(account.id), { ...account, ...changes })
  })
})
