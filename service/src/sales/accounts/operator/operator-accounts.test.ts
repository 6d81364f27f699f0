import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { OperatorClient } from '../../../../test/harness/callers/operator-client.ts'
import { benefitingPerson, company, individual, taxInformation } from '../../../../test/harness/data/bodies.ts'
import { mintPreconditionChecks, recordedChanges, recordedEvents } from '../../../../test/harness/data/recorded.ts'
import { TestTenant } from '../../../../test/harness/data/tenant.ts'
import { assertError, assertInvalid } from '../../../../test/harness/installation/api-client.ts'
import { useSharedApis } from '../../../../test/harness/installation/running-installation.ts'
import { pluck } from '../../../../test/harness/pluck.ts'
import { approvalStatuses } from '../account.schema.ts'
import { approvalRisks } from '../approval-risks.ts'

describe('accounts in the operator API', async () => {
  const { installation, api, operatorApi } = await useSharedApis()
  let tenant: TestTenant
  let operator: OperatorClient
  let viewer: OperatorClient

  beforeEach(async () => {
    tenant = await TestTenant.create(installation, api)
    operator = await OperatorClient.create(installation, operatorApi, tenant.id)
    viewer = await OperatorClient.create(installation, operatorApi, tenant.id, 'viewer')
  })

  const named = (firstName: string, lastName: string, email: string) =>
    tenant.account({
      ...individual,
      individual: { ...individual.individual, firstName, lastName },
      communication: { email, email_confirmed: true },
    })
  const search = (body: object, query = '', who = viewer) => who.post(`/accounts/search${query}`, body)
  const found = async (body: object): Promise<string[]> => {
    const response = await search(body, '?direction=asc')
    assert.equal(response.status, 200, response.text)
    const ids = pluck(response.body.results, 'id')
    assert.equal(response.body.pagination.count, ids.length)
    return ids
  }

  test('the id, or the beginning of the e-mail address or of words of the name, finds an account', async () => {
    const ada = await named('Ada', 'Lovelace', 'ada@one.example')
    const grace = await named('Grace', 'Hopper', 'Grace.H@two.example')
    const firm = await tenant.account(company)
    assert.deepEqual(await found({ q: 'LOVE' }), [ada])
    assert.deepEqual(await found({ q: 'hop gra' }), [grace])
    assert.deepEqual(await found({ q: 'hop ada' }), [])
    assert.deepEqual(await found({ q: 'ovelace' }), [])
    assert.deepEqual(await found({ q: 'grace.h@TWO' }), [grace])
    assert.deepEqual(await found({ q: 'grace.h' }), [grace])
    assert.deepEqual(await found({ q: 'analytical' }), [firm])
    assert.deepEqual(await found({ q: firm }), [firm])
    assert.deepEqual(await found({ q: firm.toUpperCase() }), [firm])
    assert.deepEqual(await found({ q: firm.slice(0, 8) }), [])
    const zoe = await named('Zoë', "O'Neil-Groß", 'zoe@one.example')
    for (const q of ['zoe', 'ZOË', 'neil', "o'n", 'gross', 'zoe o']) assert.deepEqual(await found({ q }), [zoe], q)
    assert.deepEqual(await found({ q: 'unknown' }), [])
    assert.deepEqual(await found({ q: '%' }), [])
    for (const q of ['\0', '', 'x'.repeat(201)]) assertInvalid(await search({ q }))
  })

  test('words with thousands of terms find pages of accounts and count some; a rare word finds all', async () => {
    const ids: string[] = []
    for (let index = 0; index < 30; index += 1) ids.push(await tenant.account())
    // More terms than a search reads.
    await installation.rows(
      `insert into cell.search_term (tenant_id, kind, term, subject_id)
         select $1, 'account', word || number, id
         from unnest($2::uuid[]) id, generate_series(1, 420) number, unnest(array['maria', 'meyer', 'weber']) word`,
      [tenant.id, ids],
    )
    const { body } = await search({ q: 'mari' })
    assert.deepEqual([body.results.length, body.pagination.is_count_exact], [25, false])
    const second = (await search({ q: 'mari' }, new URL(body.pagination.next).search)).body.results
    const listed = pluck([...body.results, ...second], 'id')
    assert.deepEqual(listed, ids.toSorted().toReversed())
    // First all words are frequent, then one is rarer.
    const counted = async (q: string) => {
      const { results, pagination } = (await search({ q })).body
      return [results.length, pagination.count, pagination.is_count_exact]
    }
    for (const q of ['maria meyer', 'maria meyer weber']) assert.deepEqual(await counted(q), [25, 30, true], q)
    // More subjects with the first two words than are looked up. They come after the accounts.
    await installation.rows(
      `insert into cell.search_term (tenant_id, kind, term, subject_id)
         select $1, 'account', word, lpad(number::text, 32, '0')::uuid
         from generate_series(1, 1000) number, unnest(array['maria', 'meyer', 'weber']) word
         where number > 10 or word <> 'weber'`,
      [tenant.id],
    )
    assert.deepEqual(await counted('maria meyer weber'), [25, 1_020, true])
    assert.deepEqual((await search({ q: 'meyer', kyc_status: ['PENDING'] })).body.results, [])
    const rare = await named('Ada', 'Meyer', 'rare@example.com')
    assert.deepEqual(await found({ q: 'mey ada rare@ex' }), [rare])
  })

  test('an account must match all filters, and every page of the matches can be reached', async () => {
    const person = await tenant.account()
    const firm = await tenant.account({ ...company, kyb: { status: 'PENDING' } })
    const approved = await tenant.account({ ...individual, kyc: { status: 'APPROVED' } })
    assert.deepEqual(await found({ type: 'INDIVIDUAL' }), [person, approved])
    assert.deepEqual(await found({ kyc_status: ['APPROVED'] }), [approved])
    assert.deepEqual(await found({ kyb_status: ['PENDING'] }), [firm])
    assert.deepEqual(await found({ type: 'COMPANY', kyc_status: ['APPROVED'] }), [])
    assert.deepEqual(await found({ q: 'lovelace', type: 'INDIVIDUAL', kyc_status: ['NEW'] }), [person])
    assert.deepEqual(await found({ type: 'INDIVIDUAL', kyc_status: ['NEW', 'APPROVED'] }), [person, approved])
    for (let index = 0; index < 12; index += 1) await tenant.account(company)
    for (const [filter, count, last] of [
      [{}, 15, person],
      [{ type: 'COMPANY' }, 13, firm],
    ] as const) {
      const seen = pluck(await viewer.all('/accounts/search', '?limit=10', filter), 'id')
      assert.deepEqual([seen.length, new Set(seen).size, seen.at(-1)], [count, count, last])
    }
  })

  test('a search shows no encrypted data and no account of another tenant', async () => {
    const accountId = await tenant.account()
    const [account] = (await search({})).body.results
    assert.deepEqual(Object.keys(account).toSorted(), [
      'created_at',
      'email',
      'findings',
      'full_name',
      'id',
      'kyb_status',
      'kyc_status',
      'type',
      'updated_at',
    ])
    const otherTenant = await OperatorClient.create(installation, operatorApi, await installation.createTenant('S'))
    for (const body of [{}, { q: 'ada' }, { q: accountId }])
      assert.equal((await search(body, '', otherTenant)).body.pagination.count, 0)
    // The values of a search would be in the URL, and so in the logs of every proxy.
    assertError(await viewer.get('/accounts?q=ada'), 404, 'route_not_found')
    for (const path of ['', '/benefiting-persons', '/wallets'])
      assertError(await otherTenant.get(`/accounts/${accountId}${path}`), 404, 'not_found')
    const decision = { kyc: 'APPROVED', reason: 'x' }
    assertError(await otherTenant.post(`/accounts/${accountId}/decision`, decision), 404, 'not_found')
  })

  test('an account shows what the integrator sees, with masked bank and tax data, counts and findings', async () => {
    const accountId = await tenant.account({ ...company, tax_information: taxInformation })
    const {
      created_at,
      updated_at,
      erased_at: _,
      counts,
      findings,
      approval_risks: risks,
      ...account
    } = (await viewer.get(`/accounts/${accountId}`)).body
    const full = (await tenant.get(`/accounts/${accountId}`)).body
    assert.deepEqual(account, {
      ...full,
      bank_account: { ...full.bank_account, iban: 'DE89…3000' },
      tax_information: { ...full.tax_information, tax_identification_number: '…901' },
      company: { ...full.company, vat_id: '…789' },
    })
    assert.equal(created_at, updated_at)
    assert.deepEqual(counts, { benefiting_persons: 0, orders: 0, wallets: 0, transactions: 0 })
    assert.deepEqual(pluck(findings, 'code'), ['email_not_confirmed', 'benefiting_person_missing'])
    assert.deepEqual(risks.kyb, ['document_missing', 'beneficial_owner_missing'])
    const person = (await tenant.post(`/accounts/${accountId}/benefiting-persons`, benefitingPerson)).body
    assert.deepEqual((await viewer.get(`/accounts/${accountId}/benefiting-persons`)).body, [person])
    const later = (await viewer.get(`/accounts/${accountId}`)).body
    assert.deepEqual([later.counts.benefiting_persons, later.findings.length], [1, 1])
    await tenant.post(`/accounts/${accountId}/benefiting-persons`, { ...benefitingPerson, country: 'ZZ' })
    const [finding] = (await viewer.get(`/accounts/${accountId}`)).body.findings
    assert.deepEqual([finding.code, finding.field], ['country_unassigned', 'benefiting_persons.country'])
  })

  test('the duty personal reveals bank and tax data in full, and each reveal is in the audit log', async () => {
    const accountId = await tenant.account({ ...company, tax_information: taxInformation })
    assertError(await viewer.post(`/accounts/${accountId}/reveal`), 403, 'insufficient_duty')
    const full = (await tenant.get(`/accounts/${accountId}`)).body
    for (const times of [1, 2]) {
      const shown = await operator.post(`/accounts/${accountId}/reveal`, undefined, 'the same key')
      assert.deepEqual([shown.status, shown.body], [200, full], shown.text)
      const changes = await recordedChanges(installation, accountId)
      assert.equal(changes.length, times)
      assert.deepEqual(changes.at(-1), {
        action: 'account.revealed',
        actor_type: 'user',
        actor_id: operator.who.userId,
        before: null,
        after: { shown: ['bank_account', 'tax_information', 'vat_id'] },
      })
    }
    // Without a reveal, the duty shows no more than others see.
    const { body } = await operator.get(`/accounts/${accountId}`)
    assert.equal(body.bank_account.iban, 'DE89…3000')
    const approval = { kyb: 'APPROVED', reason: 'x', acknowledged: approvalRisks }
    const decided = await operator.post(`/accounts/${accountId}/decision`, approval, 'one')
    const replayed = await operator.post(`/accounts/${accountId}/decision`, approval, 'one')
    for (const response of [decided, replayed]) assert.equal(response.body.bank_account.iban, 'DE89…3000')
  })

  for (const kind of ['kyc', 'kyb'] as const)
    test(`a decision changes ${kind} from every value to every value, audits the reason and records one event`, async () => {
      const accountId = await tenant.account()
      let [previous, expected] = ['NEW', 0]
      for (const from of approvalStatuses)
        for (const to of approvalStatuses)
          for (const status of [from, to]) {
            const body = { [kind]: status, reason: `now ${status}`, acknowledged: approvalRisks }
            const response = await operator.post(`/accounts/${accountId}/decision`, body)
            assert.deepEqual([response.status, response.body[kind].status], [200, status], response.text)
            expected += status === previous ? 0 : 1
            const changes = await recordedChanges(installation, accountId)
            assert.equal(changes.length, expected)
            if (status !== previous)
              assert.deepEqual(changes.at(-1), {
                action: `account.${kind}_changed`,
                actor_type: 'user',
                actor_id: operator.who.userId,
                before: { status: previous },
                after: {
                  status,
                  reason: `now ${status}`,
                  ...(status === 'APPROVED' && { acknowledged: ['document_missing'] }),
                },
              })
            previous = status
          }
      assert.equal(await mintPreconditionChecks(installation, accountId), expected)
      const events = await recordedEvents(installation, tenant.id)
      assert.equal(events.filter(({ type }) => type === 'account.approval_changed').length, expected)
      assert.ok(!JSON.stringify(events).includes('now '), 'the reason is only in the audit log')
    })

  test('a decision requires exactly one of kyc and kyb, a reason and the role operator', async () => {
    const accountId = await tenant.account()
    const path = `/accounts/${accountId}/decision`
    for (const body of [
      { kyc: 'APPROVED' },
      { reason: 'x' },
      { kyc: 'APPROVED', kyb: 'APPROVED', reason: 'x' },
      { kyc: 'approved', reason: 'x' },
      { kyc: 'APPROVED', reason: '' },
      { kyc: { status: 'APPROVED' }, reason: 'x' },
    ])
      assertInvalid(await operator.post(path, body))
    assertError(await viewer.post(path, { kyc: 'APPROVED', reason: 'x' }), 403, 'insufficient_duty')
    assert.deepEqual(await recordedChanges(installation, accountId), [])
    const unknown = `/accounts/${crypto.randomUUID()}/decision`
    assertError(await operator.post(unknown, { kyc: 'APPROVED', reason: 'x' }), 404, 'not_found')
  })
})
