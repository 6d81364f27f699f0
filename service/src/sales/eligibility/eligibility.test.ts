import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DirectOperations } from '../../../test/harness/callers/operations.ts'
import { confirmAs } from '../../../test/harness/callers/second-person.ts'
import { company, individual } from '../../../test/harness/data/bodies.ts'
import { openRules, questionnaire, requireDocumentAndAnswers } from '../../../test/harness/data/eligibility.ts'
import { createTenantAndOperator } from '../../../test/harness/data/tenant-and-operator.ts'
import { type ApiResponse, assertError, assertInvalid } from '../../../test/harness/installation/api-client.ts'
import { useOwnApis } from '../../../test/harness/installation/running-installation.ts'
import { compareBlockers } from '../../../test/harness/models/compare-blockers.ts'
import { pluck } from '../../../test/harness/pluck.ts'
import { until } from '../../../test/harness/wait.ts'

const approved = { ...individual, kyc: { status: 'APPROVED' } }

describe('eligibility', async () => {
  const { installation, operatorApi, tenant, operator } = await createTenantAndOperator(
    await useOwnApis(),
    'all duties',
  )
  await installation.startWorker()

  const offering = () => tenant.fixtures.offering(tenant.id)
  const setRules = async (offeringId: string, change: object): Promise<ApiResponse> => {
    const response = await operator.post(`/offerings/${offeringId}/eligibility`, { ...openRules, ...change })
    assert.equal(response.status, 200, response.text)
    return response
  }
  const buyer = async (body: object = approved) => {
    const accountId = await tenant.account(body)
    await tenant.fixtures.wallet(tenant.id, accountId)
    return accountId
  }
  const paidOrder = async (offeringId: string, accountId: string) => {
    const orderId = await tenant.order(offeringId, accountId)
    await tenant.fixtures.pay(tenant.id, orderId)
    return orderId
  }
  const read = async (orderId: string) => (await operator.get(`/orders/${orderId}`)).body
  const codes = async (orderId: string) => pluck((await read(orderId)).blockers, 'code') as string[]
  const isReady = (orderId: string) =>
    until('the order is READYTOMINT', async () => (await read(orderId)).status === 'READYTOMINT')
  const isBlocked = (orderId: string, ...expected: string[]) =>
    until(`the order is PAID and blocked by ${expected.join()}`, async () => {
      const { status } = await read(orderId)
      return status === 'PAID' && (await codes(orderId)).join() === expected.join()
    })
  const pathOf = (accountId: string, offeringId: string) => `/accounts/${accountId}/eligibility/${offeringId}`

  test('each rule blocks an order with a remedy, and none of them rejects it', async () => {
    const offeringId = await offering()
    await setRules(offeringId, { allowed_countries: ['AT'], account_types: ['COMPANY'], is_invited_only: true })
    const accountId = await buyer()
    const orderId = await paidOrder(offeringId, accountId)
    const expected = ['country_not_allowed', 'account_type_not_allowed', 'account_not_invited']
    await isBlocked(orderId, ...expected)
    for (const { message, remedy } of (await read(orderId)).blockers)
      assert.ok(message.length > 20 && remedy.length > 20)
    const seen = (await tenant.get(pathOf(accountId, offeringId))).body
    assert.equal(seen.is_eligible, false)
    assert.deepEqual(pluck(seen.blockers, 'code'), expected)
    for (const code of expected) {
      const listed = await operator.get(`/orders?blocker=${code}&offering_id=${offeringId}`)
      assert.deepEqual(pluck(listed.body.results, 'id'), [orderId])
    }
    await operator.post(`/offerings/${offeringId}/invitations`, { account_ids: [accountId] })
    await isBlocked(orderId, 'country_not_allowed', 'account_type_not_allowed')
    await setRules(offeringId, { refused_countries: ['US'], is_invited_only: true })
    await isReady(orderId)
    // An order that is ready to be minted goes back if the rules change or the invitation is withdrawn.
    await operator.post(`/offerings/${offeringId}/invitations/${accountId}/withdraw`)
    await isBlocked(orderId, 'account_not_invited')
    await setRules(offeringId, { refused_countries: ['DE'] })
    await isBlocked(orderId, 'country_not_allowed')
    const firm = await buyer({ ...company, kyb: { status: 'APPROVED' } })
    assert.ok((await codes(await paidOrder(offeringId, firm))).includes('country_not_allowed'))
  })

  test('above the limit for one investor, a later order waits until an earlier one is cancelled', async () => {
    const offeringId = await offering()
    await setRules(offeringId, { investor_max_amount: '200.00' })
    const accountId = await buyer()
    // Each order costs 125.00.
    const first = await tenant.order(offeringId, accountId)
    const second = await paidOrder(offeringId, accountId)
    const others = await paidOrder(offeringId, await buyer())
    await isBlocked(second, 'investor_limit_exceeded')
    assert.ok(!(await codes(first)).includes('investor_limit_exceeded'))
    await isReady(others)
    await compareBlockers(new DirectOperations(installation, tenant.id))
    assert.equal((await tenant.patch(`/offerings/${offeringId}/orders/${first}/cancel`)).status, 200)
    await isReady(second)
  })

  test('documents are accepted by hash, and a new one must be accepted too', async () => {
    const offeringId = await offering()
    const key = { tenantId: tenant.id, offeringId }
    const one = await requireDocumentAndAnswers(installation, key, { questionnaire: null })
    const accountId = await buyer()
    const path = pathOf(accountId, offeringId)
    const orderId = await paidOrder(offeringId, accountId)
    await isBlocked(orderId, 'document_not_accepted')
    const accept = (documentId: string, sha256: string) =>
      tenant.post(`${path}/documents/${documentId}/accept`, { sha256 })
    assertError(await accept(one.documentId, '00'.repeat(32)), 409, 'document_changed')
    assertError(await accept(crypto.randomUUID(), one.sha256), 404, 'not_found')
    const accepted = await accept(one.documentId, one.sha256)
    const [document] = accepted.body.documents
    assert.deepEqual([accepted.body.is_eligible, document.sha256, document.version], [true, one.sha256, 1])
    const again = await accept(one.documentId, one.sha256)
    assert.equal(again.body.documents[0].accepted_at, document.accepted_at)
    await isReady(orderId)
    const two = await requireDocumentAndAnswers(installation, key, { questionnaire: null })
    await isBlocked(orderId, 'document_not_accepted')
    await accept(two.documentId, two.sha256)
    await isReady(orderId)
  })

  test('a required document that was deleted cannot be accepted, and stays missing', async () => {
    const offeringId = await offering()
    const one = await requireDocumentAndAnswers(
      installation,
      { tenantId: tenant.id, offeringId },
      { questionnaire: null },
    )
    const [early, late] = [await buyer(), await buyer()]
    const accept = (accountId: string) =>
      tenant.post(`${pathOf(accountId, offeringId)}/documents/${one.documentId}/accept`, { sha256: one.sha256 })
    assert.equal((await accept(early)).status, 200)
    const deleted = await operator.post(`/documents/${one.documentId}/delete`, { reason: 'for a test' })
    assert.equal(deleted.status, 200, deleted.text)
    const response = await accept(late)
    assertError(response, 404, 'not_found')
    assert.match(response.body.error.message, /has been deleted/)
    const { body } = await tenant.get(pathOf(late, offeringId))
    assert.deepEqual(
      [body.is_eligible, pluck(body.blockers, 'code'), body.documents[0].accepted_at],
      [false, ['document_not_accepted'], null],
    )
    // A document that was accepted before its deletion stays accepted, even when the request is repeated.
    const again = await accept(early)
    assert.deepEqual([again.status, again.body.is_eligible], [200, true])
  })

  test('a questionnaire: missing, warned, refused for good, and asked again in a new version', async () => {
    const offeringId = await offering()
    const { version } = (await setRules(offeringId, { questionnaire })).body
    const accountId = await buyer()
    const orderId = await paidOrder(offeringId, accountId)
    const path = `${pathOf(accountId, offeringId)}/questionnaire`
    await isBlocked(orderId, 'questionnaire_missing')
    for (const answers of [{}, { experience: 'never', can_lose: true }, { experience: 'some', can_lose: true, x: 1 }])
      assertInvalid(await tenant.post(path, { version, answers }))
    const warned = { experience: 'none', can_lose: true }
    assertError(await tenant.post(path, { version: 7, answers: warned }), 409, 'questionnaire_changed')
    const response = await tenant.post(path, { version, answers: warned })
    assert.deepEqual([response.body.questionnaire.outcome, response.body.is_eligible], ['warned', false])
    await isBlocked(orderId, 'questionnaire_missing')
    await tenant.post(path, { version, answers: warned, accepts_warning: true })
    await isReady(orderId)
    const refused = await tenant.post(path, { version, answers: { experience: 'often', can_lose: false } })
    assert.equal(refused.body.questionnaire.outcome, 'refused')
    await isBlocked(orderId, 'questionnaire_refused')
    assertError(await tenant.post(path, { version, answers: warned }), 409, 'questionnaire_final')
    // Other rules keep the version of the questionnaire; another questionnaire does not.
    await setRules(offeringId, { questionnaire, refused_countries: ['US'] })
    assert.equal((await tenant.get(pathOf(accountId, offeringId))).body.questionnaire.version, version)
    const other = { ...questionnaire, outcomes: [] }
    assert.equal((await setRules(offeringId, { questionnaire: other })).body.version, version + 2)
    await isBlocked(orderId, 'questionnaire_missing')
  })

  test('answers are sealed, and erased with the account', async () => {
    const offeringId = await offering()
    const { version } = (await setRules(offeringId, { questionnaire })).body
    const accountId = await tenant.account()
    const answers = { experience: 'often', can_lose: true }
    await tenant.post(`${pathOf(accountId, offeringId)}/questionnaire`, { version, answers })
    const stored = async () => {
      const rows = await installation.rows(
        'select answers, outcome from cell.questionnaire_answer where account_id = $1',
        [accountId],
      )
      return rows[0]
    }
    assert.ok(!(await stored()).answers.includes('often'))
    const second = await installation.createOperator(tenant.id)
    const proposal = await operator.post(`/accounts/${accountId}/erase`, { reason: 'request of the investor' })
    assert.equal((await confirmAs(operatorApi, second, proposal)).status, 200)
    assert.deepEqual(await stored(), { answers: null, outcome: 'appropriate' })
    const path = `${pathOf(accountId, offeringId)}/questionnaire`
    assertError(await tenant.post(path, { version, answers }), 409, 'account_erased')
  })

  test('impossible rules are rejected, and changes in an open offering need the policy of its opening', async () => {
    const offeringId = await offering()
    const send = (change: object) => operator.post(`/offerings/${offeringId}/eligibility`, { ...openRules, ...change })
    const unknown = { ...questionnaire, outcomes: [{ question: 'other', one_of: ['x'], outcome: 'warned' }] }
    const impossible = { ...questionnaire, outcomes: [{ question: 'experience', one_of: ['x'], outcome: 'warned' }] }
    const slow = { schema: { type: 'object', properties: { a: { type: 'string', title: 'A', pattern: '(a+)+$' } } } }
    for (const change of [
      { questionnaire: unknown },
      { questionnaire: impossible },
      { questionnaire: { ...slow, outcomes: [] } },
      { document_ids: [crypto.randomUUID()] },
      { account_types: [] },
      { allowed_countries: ['Germany'] },
      { investor_max_amount: '-1' },
    ])
      assertInvalid(await send(change))
    assert.equal((await operator.get(`/offerings/${offeringId}/eligibility`)).body.version, 0)
    await installation.useDefaultPolicies(tenant.id, 'offering_opening')
    const proposal = await send({ refused_countries: ['US'] })
    assert.equal(proposal.status, 202, proposal.text)
    const second = await installation.createOperator(tenant.id)
    assert.equal((await confirmAs(operatorApi, second, proposal)).status, 200)
    assert.equal((await operator.get(`/offerings/${offeringId}/eligibility`)).body.version, 1)
  })
})
