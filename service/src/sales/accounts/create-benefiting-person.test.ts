import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { benefitingPerson, company, individual } from '../../../test/harness/data/bodies.ts'
import { TestTenant } from '../../../test/harness/data/tenant.ts'
import { assertError, assertInvalid } from '../../../test/harness/installation/api-client.ts'
import { useSharedApis } from '../../../test/harness/installation/running-installation.ts'

describe('benefiting persons', async () => {
  const { installation, api } = await useSharedApis()
  const tenant = await TestTenant.create(installation, api)
  const accountId = await tenant.account(company)

  const add = (account: string, body: unknown) => tenant.post(`/accounts/${account}/benefiting-persons`, body)
  const list = (account: string, query = '') => tenant.get(`/accounts/${account}/benefiting-persons${query}`)

  async function assertRejected(body: unknown, pointer: string): Promise<void> {
    const earlier = (await list(accountId)).body
    const response = await add(accountId, body)
    assertInvalid(response)
    const pointers = response.body.error.errors.map((failure: { pointer: string }) => failure.pointer)
    assert.ok(pointers.includes(pointer), response.text)
    assert.deepEqual((await list(accountId)).body, earlier)
  }

  test('R088, Q038: the response is 201 with the person as sent and an id, and the list returns the same', async () => {
    const account = await tenant.account(company)
    const response = await add(account, benefitingPerson)
    assert.equal(response.status, 201)
    const { id, ...rest } = response.body
    assert.match(id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    assert.deepEqual(rest, benefitingPerson)
    assert.deepEqual((await list(account)).body, [response.body])
  })

  test('R089: 400 if one of the seven members is missing', async () => {
    assert.equal(Object.keys(benefitingPerson).length, 7)
    for (const member of Object.keys(benefitingPerson))
      await assertRejected({ ...benefitingPerson, [member]: undefined }, `/${member}`)
  })

  test('R010, R096: the country is any two capital letters', async () => {
    for (const country of ['D', 'DEU', '', 'de', 'D1'])
      await assertRejected({ ...benefitingPerson, country }, '/country')
    for (const country of ['FR', 'ZZ'])
      assert.equal((await add(accountId, { ...benefitingPerson, country })).body.country, country)
  })

  test('R013, R090: text is returned unchanged', async () => {
    const person = { ...benefitingPerson, firstname: ' Zoë 😀\n', lastname: `"'\\` }
    const { body } = await add(accountId, person)
    assert.deepEqual(body, { id: body.id, ...person })
    assert.deepEqual((await list(accountId)).body.at(-1), body)
  })

  test('R097: a person has firstname and lastname, and no other spelling', async () => {
    const { firstname, lastname, ...rest } = benefitingPerson
    await assertRejected({ ...rest, firstName: firstname, lastname }, '/firstName')
    await assertRejected({ ...rest, firstname, lastName: lastname }, '/lastName')
  })

  test('R098, Q039: an id sent by the caller is rejected', async () => {
    await assertRejected({ ...benefitingPerson, id: crypto.randomUUID() }, '/id')
  })

  test('R099: without an idempotency key no person is added', async () => {
    const earlier = (await list(accountId)).body
    const call = { token: tenant.token, body: benefitingPerson }
    assertInvalid(await api.call('POST', `/accounts/${accountId}/benefiting-persons`, call), 'X-Idempotency-Key')
    assert.deepEqual((await list(accountId)).body, earlier)
  })

  test('R100, R177, Q040, Q041: the list is an array of all persons, oldest first, and ignores paging parameters', async () => {
    const account = await tenant.account(company)
    const empty = await list(account)
    assert.deepEqual([empty.status, empty.body], [200, []])
    const added: unknown[] = []
    for (let index = 0; index < 12; index++)
      added.push((await add(account, { ...benefitingPerson, firstname: `Grace ${index}` })).body)
    for (const query of ['', '?limit=10', '?limit=10&offset=5', '?limit=x&offset=-1'])
      assert.deepEqual((await list(account, query)).body, added)
  })

  test('Q040: an account has at most 1,000 persons', async () => {
    const account = await tenant.account(company)
    const setCount = (count: number) =>
      installation.rows('update cell.account set benefiting_person_count = $1 where id = $2', [count, account])
    await setCount(999)
    assert.equal((await add(account, benefitingPerson)).status, 201)
    assertInvalid(await add(account, benefitingPerson), 'accountId')
  })

  test('R101, Q037: an individual account has no persons and rejects new ones', async () => {
    const account = await tenant.account(individual)
    assertInvalid(await add(account, benefitingPerson), 'accountId')
    const none = await list(account)
    assert.deepEqual([none.status, none.body], [200, []])
  })

  test('R102: a person belongs only to the account in the path; an unknown account is 404', async () => {
    const [one, other] = [await tenant.account(company), await tenant.account(company)]
    await add(one, benefitingPerson)
    assert.equal((await list(one)).body.length, 1)
    assert.deepEqual((await list(other)).body, [])
    assertError(await add(crypto.randomUUID(), benefitingPerson), 404, 'not_found')
    assertError(await list(crypto.randomUUID()), 404, 'not_found')
  })
})
