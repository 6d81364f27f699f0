import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { confirmAs } from '../../../../test/harness/callers/second-person.ts'
import { benefitingPerson, company, individual, taxInformation } from '../../../../test/harness/data/bodies.ts'
import { recordedChanges, recordedEvents } from '../../../../test/harness/data/recorded.ts'
import { createTenantAndOperator } from '../../../../test/harness/data/tenant-and-operator.ts'
import { assertError, assertInvalid } from '../../../../test/harness/installation/api-client.ts'
import { useSharedApis } from '../../../../test/harness/installation/running-installation.ts'
import { approvalRisks } from '../approval-risks.ts'

const reason = 'letter of the investor'

describe('operators act for an investor', async () => {
  const { installation, operatorApi, tenant, operator } = await createTenantAndOperator(await useSharedApis())
  const second = await installation.createOperator(tenant.id)
  await installation.useDefaultPolicies(tenant.id, 'refund_to_changed_account')

  test('contact and tax data are corrected by one person, and only named in the audit log', async () => {
    const accountId = await tenant.account()
    const communication = { email: 'new@example.com', email_confirmed: false }
    const correction = { communication, tax_information: taxInformation, reason }
    const response = await operator.patch(`/accounts/${accountId}`, correction)
    assert.equal(response.status, 200, response.text)
    assert.deepEqual(response.body.communication, communication)
    assert.equal(response.body.tax_information.tax_identification_number, '…901', 'masked')
    const full = (await tenant.get(`/accounts/${accountId}`)).body
    assert.deepEqual(full.tax_information, taxInformation)
    const [entry, ...others] = await recordedChanges(installation, accountId)
    assert.deepEqual(entry?.after, { changed: ['communication', 'tax_information'], reason })
    assert.equal(others.length, 0)
    for (const body of [{ reason }, { communication }, { kyc: { status: 'APPROVED' }, reason }])
      assertInvalid(await operator.patch(`/accounts/${accountId}`, body))
  })

  test('a changed IBAN waits for a second person, who sees it masked; a changed bank name does not', async () => {
    const accountId = await tenant.account()
    const path = `/accounts/${accountId}`
    const same = { ...individual.bank_account, bank: 'Other name of the bank' }
    assert.equal((await operator.patch(path, { bank_account: same, reason })).status, 200)
    const bankAccount = { ...individual.bank_account, iban: 'DE02120300000000202051' }
    const proposal = await operator.patch(path, { bank_account: bankAccount, reason })
    const shown = await operatorApi.call('GET', `/approvals/${proposal.body.approval_id}`, { token: second.token })
    assert.equal(shown.body.request.body.bank_account.iban, 'DE02…2051')
    assert.equal((await tenant.get(path)).body.bank_account.iban, individual.bank_account.iban)
    const confirmed = await confirmAs(operatorApi, second, proposal)
    assert.equal(confirmed.body.result.bank_account.iban, 'DE02…2051', confirmed.text)
    assert.deepEqual((await tenant.get(path)).body.bank_account, bankAccount)
    const changes = await recordedChanges(installation, accountId)
    const change = changes.find(({ action }) => action === 'account.bank_data_changed')
    assert.notEqual(change?.before.iban_hash, change?.after.iban_hash)
    assert.ok(!JSON.stringify(changes).includes('DE02'))
  })

  test('a benefiting person is added with the rules of integrators', async () => {
    const [firm, person] = [await tenant.account(company), await tenant.account()]
    const added = await operator.post(`/accounts/${firm}/benefiting-persons`, benefitingPerson)
    assert.equal(added.status, 201, added.text)
    assert.deepEqual((await tenant.get(`/accounts/${firm}/benefiting-persons`)).body, [added.body])
    assertInvalid(await operator.post(`/accounts/${person}/benefiting-persons`, benefitingPerson))
    assert.deepEqual((await recordedChanges(installation, firm))[0]?.after, { benefiting_person_id: added.body.id })
  })

  test('an order for an investor has the rules, errors and event of an integrator, and is audited', async () => {
    const accountId = await tenant.account()
    const offeringId = await tenant.fixtures.offering(tenant.id, { approval_required: true, max_units: '2000000000' })
    const order = (change: object = {}, id = offeringId) =>
      operator.post(`/offerings/${id}/orders`, { account_id: accountId, units: '1000000000', reason, ...change })
    assertError(await order(), 409, 'account_not_approved')
    await operator.post(`/accounts/${accountId}/decision`, { kyc: 'APPROVED', reason, acknowledged: approvalRisks })
    assertInvalid(await order({ units: '2000000001' }))
    assertInvalid(await order({ account_id: crypto.randomUUID() }))
    assertError(await order({}, crypto.randomUUID()), 404, 'not_found')
    const created = await order()
    assert.deepEqual([created.status, created.body.status], [201, 'ORDERED'], created.text)
    assert.equal(created.headers.get('location'), `${operatorApi.baseUrl}/operator/orders/${created.body.id}`)
    const asIntegrator = (await tenant.get(`/offerings/${offeringId}/orders/${created.body.id}`)).body
    assert.deepEqual({ ...created.body, ...asIntegrator }, created.body)
    const events = await recordedEvents(installation, tenant.id)
    const event = events.find(({ type, data }) => type === 'order.created' && data['order_id'] === created.body.id)
    assert.equal(event?.data['payment_reference'], created.body.payment_reference)
    const [entry] = await recordedChanges(installation, created.body.id)
    assert.deepEqual(
      [entry?.action, entry?.actor_id, entry?.after],
      [
        'order.created',
        operator.who.userId,
        { offering_id: offeringId, account_id: accountId, units: '1000000000', reason },
      ],
    )
  })

  test('operators see the balances and transactions that integrators see, in pages', async () => {
    const [accountId, offeringId] = [await tenant.account(), await tenant.fixtures.offering(tenant.id)]
    const wallets: string[] = []
    for (let count = 0; count < 3; count += 1) {
      const walletId = await tenant.fixtures.wallet(tenant.id, accountId)
      wallets.push(walletId)
      const holding = { tenantId: tenant.id, accountId, walletId, offeringId }
      await tenant.fixtures.balance(holding, String(count))
      await tenant.fixtures.transaction(holding)
    }
    for (const [path, theirs] of [
      ['balances', 'wallets/balances'],
      ['transactions', 'transactions'],
    ]) {
      const all = (await tenant.get(`/accounts/${accountId}/${theirs}`)).body.results
      assert.deepEqual([all.length, await operator.all(`/accounts/${accountId}/${path}`, '?limit=2')], [3, all])
    }
    assertError(await operator.get(`/accounts/${crypto.randomUUID()}/balances`), 404, 'not_found')
  })
})
