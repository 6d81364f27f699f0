import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { benefitingPerson, company, individual, taxInformation } from '../../../test/harness/data/bodies.ts'
import { mintPreconditionChecks, recordedChanges, recordedEvents } from '../../../test/harness/data/recorded.ts'
import { TestTenant } from '../../../test/harness/data/tenant.ts'
import { assertInvalid } from '../../../test/harness/installation/api-client.ts'
import { useSharedApis } from '../../../test/harness/installation/running-installation.ts'
import { pluck } from '../../../test/harness/pluck.ts'
import { approvalStatuses } from './account.schema.ts'

describe('events and audit records of accounts', async () => {
  const { installation, api } = await useSharedApis()
  let tenant: TestTenant

  beforeEach(async () => {
    tenant = await TestTenant.create(installation, api)
  })

  const events = () => recordedEvents(installation, tenant.id)
  const changes = (accountId: string) => recordedChanges(installation, accountId)
  const byCredential = () => ({ actor_type: 'credential', actor_id: tenant.clientId })

  test('a new account records one event without personal data, and no audit record', async () => {
    const accountId = await tenant.account()
    const data = { account_id: accountId, type: 'INDIVIDUAL', kyc_status: 'NEW', kyb_status: 'NEW' }
    assert.deepEqual(await events(), [{ type: 'account.created', data }])
    assert.deepEqual(await changes(accountId), [])
    const all = JSON.stringify(await events())
    for (const secret of ['Lovelace', 'ada@', 'DE8937', 'Hauptstr']) assert.ok(!all.includes(secret), secret)
  })

  test('Q032: an initial status other than NEW is audited', async () => {
    const kyc = await tenant.account({ ...individual, kyc: { status: 'APPROVED' } })
    const kyb = await tenant.account({ ...company, kyb: { status: 'PENDING' } })
    const change = (action: string, status: string) => [
      { action, ...byCredential(), before: { status: 'NEW' }, after: { status } },
    ]
    assert.deepEqual(await changes(kyc), change('account.kyc_changed', 'APPROVED'))
    assert.deepEqual(await changes(kyb), change('account.kyb_changed', 'PENDING'))
  })

  test('a change records one event with the names of the replaced members; an empty change records none', async () => {
    const accountId = await tenant.account()
    await tenant.patch(`/accounts/${accountId}`, {})
    const change = { bank_account: individual.bank_account, tax_information: taxInformation }
    assert.equal((await tenant.patch(`/accounts/${accountId}`, change)).status, 200)
    const data = { account_id: accountId, changed: ['bank_account', 'tax_information'] }
    assert.deepEqual((await events()).slice(1), [{ type: 'account.updated', data }])
    assert.deepEqual([await changes(accountId), await mintPreconditionChecks(installation, accountId)], [[], 0])
  })

  test('a change of IBAN or account holder is audited with the credential and hashes, and never with the values', async () => {
    const [accountId, otherId] = [await tenant.account(), await tenant.account()]
    const original = individual.bank_account
    const changedAt = async (id: string) => {
      const rows = await installation.rows<{ at: Date | null }>(
        'select bank_account_changed_at as at from cell.account where id = $1',
        [id],
      )
      return rows[0]?.at
    }
    const replace = async (id: string, bankAccount: object) =>
      assert.equal((await tenant.patch(`/accounts/${id}`, { bank_account: bankAccount })).status, 200)

    // Another spelling of the IBAN and another bank name change nothing that a refund depends on.
    const spelled = original.iban.replace(/(.{4})/g, '$1 ').toLowerCase()
    await replace(accountId, { ...original, iban: spelled, bank: 'Renamed bank' })
    assert.deepEqual([await changes(accountId), await changedAt(accountId)], [[], null])

    const [iban, holder] = ['FR1420041010050500013M02606', 'Mallory Second']
    await replace(accountId, { ...original, iban })
    await replace(accountId, { ...original, iban, account_holder: holder })
    const [byIban, byHolder, ...others] = await changes(accountId)
    assert.ok(byIban && byHolder)
    assert.deepEqual(others, [])
    for (const entry of [byIban, byHolder])
      assert.partialDeepStrictEqual(entry, { action: 'account.bank_data_changed', ...byCredential() })
    const hash = /^[\w-]{43}$/
    assert.match(byIban.before['iban_hash'], hash)
    assert.notEqual(byIban.before['iban_hash'], byIban.after['iban_hash'])
    assert.equal(byIban.before['account_holder_hash'], byIban.after['account_holder_hash'])
    assert.equal(byHolder.before['iban_hash'], byIban.after['iban_hash'])
    assert.notEqual(byHolder.before['account_holder_hash'], byHolder.after['account_holder_hash'])
    for (const secret of [original.iban, iban, 'Lovelace', holder])
      assert.ok(!JSON.stringify([byIban, byHolder]).includes(secret), secret)
    assert.ok((await changedAt(accountId)) instanceof Date)

    // Equal hashes show that accounts were changed to the same IBAN; a hash of another tenant never equals them.
    await replace(otherId, { ...original, iban })
    assert.equal((await changes(otherId))[0]?.after['iban_hash'], byIban.after['iban_hash'])
    tenant = await TestTenant.create(installation, api)
    const foreignId = await tenant.account()
    await replace(foreignId, { ...original, iban })
    assert.notEqual((await changes(foreignId))[0]?.after['iban_hash'], byIban.after['iban_hash'])
  })

  for (const [requirement, kind, body] of [
    ['R079', 'kyc', individual],
    ['R079', 'kyc', company],
    ['R080', 'kyb', individual],
    ['R080', 'kyb', company],
  ] as const)
    test(`${requirement}, R256, Q031, Q032: ${kind} of an ${body.type} account changes from any value to any value; each change records an event, is audited and rechecks the orders`, async () => {
      const accountId = await tenant.account(body)
      const account = (await tenant.get(`/accounts/${accountId}`)).body
      let [previous, expected] = ['NEW', 0]
      for (const from of approvalStatuses)
        for (const to of approvalStatuses)
          for (const status of [from, to]) {
            const earlier = (await events()).length
            const response = await tenant.patch(`/accounts/${accountId}`, { [kind]: { status } })
            assert.deepEqual([response.status, response.body], [200, { ...account, [kind]: { status } }])
            const recorded = (await events()).slice(earlier)
            const isChange = status !== previous
            expected += isChange ? 1 : 0
            const data = { account_id: accountId, kind, status, previous_status: previous }
            assert.deepEqual(recorded, [
              { type: 'account.updated', data: { account_id: accountId, changed: [kind] } },
              ...(isChange ? [{ type: 'account.approval_changed', data }] : []),
            ])
            const audited = await changes(accountId)
            assert.equal(audited.length, expected)
            const entry = { action: `account.${kind}_changed`, ...byCredential() }
            if (isChange)
              assert.deepEqual(audited.at(-1), { ...entry, before: { status: previous }, after: { status } })
            assert.equal(await mintPreconditionChecks(installation, accountId), expected)
            previous = status
          }
    })

  test('several changes of an account cause one check of its orders and one of its registrations', async () => {
    const accountId = await tenant.account()
    for (const status of ['PENDING', 'APPROVED', 'REJECTED'])
      await tenant.patch(`/accounts/${accountId}`, { kyc: { status } })
    const rows = await installation.rows(
      `select identifier from graphile_worker._private_jobs jobs
         join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id
         where payload ->> 'account_id' = $1 order by 1`,
      [accountId],
    )
    assert.deepEqual(pluck(rows, 'identifier'), ['check-mint-preconditions', 'check-registrations'])
  })

  test('a new benefiting person records one event with its id and rechecks the orders', async () => {
    const accountId = await tenant.account(company)
    const person = (await tenant.post(`/accounts/${accountId}/benefiting-persons`, benefitingPerson)).body
    const data = { account_id: accountId, benefiting_person_id: person.id }
    assert.deepEqual((await events()).at(-1), { type: 'benefiting_person.created', data })
    assert.equal(await mintPreconditionChecks(installation, accountId), 1)
  })

  test('a rejected request records no event', async () => {
    const accountId = await tenant.account()
    const earlier = await events()
    assertInvalid(await tenant.post(`/accounts/${accountId}/benefiting-persons`, benefitingPerson))
    assertInvalid(await tenant.patch(`/accounts/${accountId}`, { kyc: { status: 'X' } }))
    assert.deepEqual(await events(), earlier)
  })
})
