import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { DirectOperations } from '../../../../test/harness/callers/operations.ts'
import { OperatorClient } from '../../../../test/harness/callers/operator-client.ts'
import { confirmAs } from '../../../../test/harness/callers/second-person.ts'
import { benefitingPerson, company, individual, taxInformation } from '../../../../test/harness/data/bodies.ts'
import { createDocument } from '../../../../test/harness/data/documents.ts'
import { answerInText } from '../../../../test/harness/data/eligibility.ts'
import { recordedChanges, recordedEvents } from '../../../../test/harness/data/recorded.ts'
import { TestTenant } from '../../../../test/harness/data/tenant.ts'
import { type ApiResponse, assertError } from '../../../../test/harness/installation/api-client.ts'
import { dumpData } from '../../../../test/harness/installation/data-dump.ts'
import { sharedInstallation } from '../../../../test/harness/installation/shared-installation.ts'
import { camt053, importDirectly } from '../../../../test/harness/money/camt053.ts'
import { DistributionRows } from '../../../../test/harness/money/distribution-rows.ts'
import { createQueuedCheck } from '../../../../test/harness/servers/kyc-provider.ts'
import { sealedColumns } from '../../../maintain/restore/sealed-columns.ts'
import { matchStatements } from '../../../money/statements/match-statements.job.ts'
import { Vaults } from '../../../platform/postgres/vault.ts'
import { approvalRisks } from '../../../sales/accounts/approval-risks.ts'
import { erasePayers } from '../erase.sql.ts'

const reason = 'request of the investor'
// Appears in every text of one investor, and nowhere else.
const canary = 'Quetzalcoatl'
const canaryIban = 'DE02120300000000202051'
const otherIban = 'DE89370400440532013000'
const canaryTaxNumber = '98765432109'

// A dump shows bytes in hexadecimal.
const secrets = [canary, canaryIban, canaryTaxNumber].flatMap((text) => [text, Buffer.from(text).toString('hex')])

describe('erasing the personal data of an account', async () => {
  const installation = await sharedInstallation()
  after(() => installation.end())
  const [api, operatorApi] = await Promise.all([installation.startApi(), installation.startOperatorApi()])
  const tenant = await TestTenant.create(installation, api)
  const operator = await OperatorClient.create(installation, operatorApi, tenant.id, 'all duties')
  const second = await installation.createOperator(tenant.id)

  const erase = (accountId: string) => operator.post(`/accounts/${accountId}/erase`, { reason })
  const erased = async (accountId: string): Promise<ApiResponse> =>
    confirmAs(operatorApi, second, await erase(accountId))
  const owner = (text: string, values?: unknown[]) => installation.rows(text, values)

  const canaryAccount = () =>
    tenant.account({
      ...individual,
      individual: { ...individual.individual, firstName: canary, lastName: canary, street: `${canary}street 1` },
      communication: { email: `${canary.toLowerCase()}@example.com`, email_confirmed: true },
      bank_account: { ...individual.bank_account, account_holder: `${canary} ${canary}`, iban: canaryIban },
      tax_information: { ...taxInformation, tax_identification_number: canaryTaxNumber },
    })

  /** Matches imported entries, as the worker does. */
  const match = () =>
    matchStatements.run({ tenant_id: tenant.id }, new DirectOperations(installation, tenant.id).jobContext)

  /** Opens everything that is sealed for the tenant, except stored responses, which expire after a day. */
  async function openedValues(): Promise<string[]> {
    const direct = new DirectOperations(installation, tenant.id)
    const vaults = new Vaults(installation.config.dataMasterKeys)
    const texts: string[] = []
    for (const { table, column, key, also = [], where = 'true', contextOf } of sealedColumns) {
      if (table === 'cell.idempotency') continue
      const names = [...key, ...also].join(', ')
      const rows = await owner(
        `select ${names}, ${column} as sealed from ${table}
         where tenant_id = $1 and ${column} is not null and ${where}`,
        [tenant.id],
      )
      for (const row of rows)
        texts.push(await direct.write((tx) => vaults.of(tx, tenant.id).open(row['sealed'], contextOf(row))))
    }
    // Documents are sealed in base64.
    return texts.flatMap((text) => [text, Buffer.from(text, 'base64').toString('latin1')])
  }

  const isCanary = (text: string) => secrets.some((secret) => text.toLowerCase().includes(secret.toLowerCase()))

  test('an investor with payments, refunds, documents and approvals: no canary is left anywhere', async () => {
    const accountId = await canaryAccount()
    const otherId = await tenant.account()
    const offeringId = await tenant.fixtures.offering(tenant.id)
    const orderId = await tenant.order(offeringId, accountId)
    const otherOrderId = await tenant.order(offeringId, otherId)
    const walletId = await tenant.fixtures.wallet(tenant.id, accountId, { status: 'INACTIVE', name: canary })
    await createDocument(installation, { tenantId: tenant.id, accountId }, `Passport of ${canary}`)
    await createQueuedCheck(installation, { tenantId: tenant.id, accountId }, 'rejected', { name: canary })
    await answerInText(installation, { tenantId: tenant.id, accountId }, `inherited from ${canary}`)
    const secondOrderId = await tenant.order(offeringId, accountId)
    // The first transfer names the order and overpays it; two name none, and are assigned and split by hand.
    const { payment_reference: reference } = (await operator.get(`/orders/${orderId}`)).body
    const { payment_reference: otherReference } = (await operator.get(`/orders/${otherOrderId}`)).body
    const payer = { payerName: `${canary} Junior`, payerIban: canaryIban }
    const xml = camt053({
      entries: [
        { amount: '200.00', creditorReference: reference, ...payer },
        { amount: '300.00', creditorReference: otherReference, payerName: 'Grace Hopper', payerIban: otherIban },
        { amount: '10.00', text: `from ${canary}`, ...payer },
        { amount: '6.00', text: `for both, ${canary}`, ...payer },
      ],
    })
    await importDirectly(installation, tenant.id, xml)
    await match()
    const { results: unassigned } = (await operator.get('/unassigned-payments')).body
    const idOf = (amount: string) => unassigned.find((one: { amount: string }) => one.amount === amount).id
    const assigned = await operator.post(`/unassigned-payments/${idOf('10.00')}/assign`, { order_id: orderId })
    assert.equal(assigned.status, 200, assigned.text)
    const parts = [orderId, secondOrderId].map((id) => ({ order_id: id, amount: '3.00' }))
    const split = await operator.post(`/unassigned-payments/${idOf('6.00')}/split`, { parts })
    assert.equal(split.status, 200, split.text)
    // A payout with a refund to each investor, so that the file of the bank names both.
    const { id: payoutId } = (await operator.post('/payouts', {})).body
    assert.equal((await operator.post(`/payouts/${payoutId}/release`)).status, 200)
    const file = await operatorApi.call('POST', `/payouts/${payoutId}/download`, {
      token: operator.who.token,
      fileType: 'application/xml',
    })
    assert.ok(isCanary(file.text) && file.text.includes('Hopper'), file.text)
    // A proposal with bank data in it.
    await installation.useDefaultPolicies(tenant.id, 'refund_to_changed_account')
    const correction = { bank_account: { ...individual.bank_account, account_holder: `${canary} Senior` }, reason }
    const pending = await operator.patch(`/accounts/${accountId}`, correction)
    assert.equal(pending.status, 202, pending.text)

    const rejected = await erase(accountId)
    assertError(rejected, 409, 'account_not_erasable')
    assert.match(rejected.body.error.message, /2 open orders: .*3 refunds that.*kept until/)
    await endBusiness([orderId, secondOrderId, otherOrderId])
    assert.ok((await openedValues()).some(isCanary), 'the test would see a canary')
    assert.ok(isCanary(await dumpData(installation.config.databaseUrl)), 'the test would see a canary in the dump')

    const response = await erased(accountId)
    assert.equal(response.status, 200, response.text)
    assert.deepEqual((await openedValues()).filter(isCanary), [])
    const dump = await dumpData(installation.config.databaseUrl)
    assert.ok(dump.includes(accountId) && dump.includes('_private_jobs'), 'the dump has rows and jobs')
    assert.deepEqual(dump.split('\n').filter(isCanary), [])
    assert.ok(!isCanary(JSON.stringify(await recordedEvents(installation, tenant.id))))
    for (const read of [
      await tenant.get(`/accounts/${accountId}`),
      await tenant.get(`/accounts/${accountId}/wallets/${walletId}`),
      await operator.get(`/accounts/${accountId}`),
      await operator.get(`/accounts/${accountId}/documents`),
      await operator.get(`/approvals/${pending.body.approval_id}`),
      await operatorApi.call('POST', `/accounts/${accountId}/subject-access`, { cookie: second.cookie }),
    ]) {
      assert.equal(read.status, 200, read.text)
      assert.ok(!isCanary(read.text), read.text)
    }
    // Data of the other investor stays, even in the same file.
    const again = await operatorApi.call('POST', `/payouts/${payoutId}/download`, {
      token: operator.who.token,
      fileType: 'application/xml',
    })
    assert.ok(again.text.includes('Hopper') && !isCanary(again.text), again.text)
    assert.equal((await tenant.get(`/accounts/${otherId}`)).body.individual.lastName, 'Lovelace')
    // An earlier proposal has lost its content and cannot be confirmed.
    const late = await operatorApi.call('POST', `/approvals/${pending.body.approval_id}/confirm`, {
      cookie: second.cookie,
    })
    assertError(late, 409, 'subject_changed')
    const [change] = (await recordedChanges(installation, accountId)).filter(
      ({ action }) => action === 'account.erased',
    )
    assert.deepEqual(change?.after, {
      documents: 1,
      kyc_checks: 1,
      questionnaires: 1,
      register_extracts: 0,
      notes: 0,
      bank_entries: 3,
      unassigned_payments: 2,
      transfers: 3,
      approvals: 2,
      reason,
    })
  })

  /** Mints the orders, settles their refunds and moves everything eleven years into the past. */
  async function endBusiness(orderIds: readonly string[]): Promise<void> {
    for (const change of [
      `cell.refund set status = 'settled', changed_at = now() - interval '11 years' where order_id`,
      `cell.token_order set status = 'MINTED', created_at = now() - interval '11 years',
                            paid_at = now() - interval '11 years' where id`,
      `cell.payment set received_at = now() - interval '11 years', created_at = now() - interval '11 years'
       where order_id`,
    ])
      await owner(`update ${change} = any ($1)`, [orderIds])
  }

  test('an account without orders is erased at once, with its benefiting persons, and can no longer be used', async () => {
    const accountId = await tenant.account({ ...company, company: { ...company.company, name: canary } })
    await tenant.post(`/accounts/${accountId}/benefiting-persons`, { ...benefitingPerson, lastname: canary })
    assert.equal((await erased(accountId)).status, 200)
    const { body } = await operator.get(`/accounts/${accountId}`)
    assert.deepEqual([body.company.name, body.counts.benefiting_persons, body.kyb.status], ['erased', 0, 'DEACTIVATED'])
    assert.ok(body.erased_at)
    assert.ok(!isCanary(await dumpData(installation.config.databaseUrl)))
    const { communication, bank_account } = company
    assertError(await tenant.patch(`/accounts/${accountId}`, { communication }), 409, 'account_erased')
    assertError(await operator.patch(`/accounts/${accountId}`, { bank_account, reason }), 409, 'account_erased')
    const decision = { kyb: 'APPROVED', reason, acknowledged: approvalRisks }
    assertError(await operator.post(`/accounts/${accountId}/decision`, decision), 409, 'account_erased')
    const persons = `/accounts/${accountId}/benefiting-persons`
    assertError(await tenant.post(persons, benefitingPerson), 409, 'account_erased')
    const offeringId = await tenant.fixtures.offering(tenant.id)
    const order = await tenant.post(`/offerings/${offeringId}/orders`, { account_id: accountId, units: '1' })
    assertError(order, 400, 'validation_failed')
    const upload = { token: operator.who.token, body: 'x', headers: { 'content-type': 'text/plain' } }
    assertError(await operatorApi.call('POST', `/accounts/${accountId}/documents`, upload), 409, 'account_erased')
    assert.equal((await erased(accountId)).status, 200, 'again')
    const events = (await recordedEvents(installation, tenant.id)).filter(({ type }) => type === 'account.erased')
    assert.equal(events.filter(({ data }) => data['account_id'] === accountId).length, 1)
  })

  test('open orders, tokens, wallets in use and the retention period each prevent it independently', async () => {
    const accountId = await tenant.account()
    const offeringId = await tenant.fixtures.offering(tenant.id)
    const walletId = await tenant.fixtures.wallet(tenant.id, accountId)
    const orderId = await tenant.order(offeringId, accountId)
    await tenant.fixtures.balance({ tenantId: tenant.id, accountId, walletId, offeringId }, '5')
    const expectBlockers = async (...patterns: RegExp[]) => {
      const response = await erase(accountId)
      assertError(response, 409, 'account_not_erasable')
      const sentences = response.body.error.message.split('. ')
      assert.equal(sentences.length, patterns.length, response.text)
      for (const pattern of patterns) assert.match(response.body.error.message, pattern)
    }
    await expectBlockers(/1 open order/, /tokens of 1 offering/, /1 wallet in use/, /kept until/)
    await operator.post(`/orders/${orderId}/cancel`, { reason })
    await expectBlockers(/tokens of 1 offering/, /1 wallet in use/, /kept until/)
    await owner('update cell.wallet_balance set balance = 0 where wallet_id = $1', [walletId])
    await operator.post(`/accounts/${accountId}/wallets/${walletId}/retire`, { reason })
    await expectBlockers(/kept until/)
    await owner(
      `update cell.token_order set created_at = now() - interval '2 years',
                 cancelled_at = now() - interval '2 years' where id = $1`,
      [orderId],
    )
    await expectBlockers(/kept until/)
    const shorter = await operator.patch('/settings', { retention_years: 1 })
    assert.equal((await confirmAs(operatorApi, second, shorter)).status, 200)
    assert.equal((await erased(accountId)).status, 200)
  })

  for (const [status, isBlocked] of [
    ['DRAFT', false],
    ['CALCULATED', true],
    ['APPROVED', true],
    ['PAYING', true],
    ['CLOSED', true],
    ['CANCELLED', false],
  ] as const)
    test(`an entitlement of a distribution (${status}) ${isBlocked ? 'prevents' : 'allows'} it`, async () => {
      const accountId = await tenant.account()
      const orderId = await tenant.order(await tenant.fixtures.offering(tenant.id), accountId)
      await endBusiness([orderId])
      await new DistributionRows(installation, tenant.id).create(accountId, { status })
      if (!isBlocked) return assert.equal((await erased(accountId)).status, 200)
      const response = await erase(accountId)
      assertError(response, 409, 'account_not_erasable')
      assert.match(response.body.error.message, /1 entitlement that are not paid: .*kept until/)
    })

  test('the database itself lets the application erase payers and creditors of erased accounts only', async () => {
    const accountId = await tenant.account()
    const offeringId = await tenant.fixtures.offering(tenant.id)
    const orderId = await tenant.order(offeringId, accountId)
    await tenant.fixtures.pay(tenant.id, orderId)
    await owner(`update cell.payment set payer = 'box' where order_id = $1`, [orderId])
    const direct = new DirectOperations(installation, tenant.id)
    await direct.write((tx) => erasePayers(tx, { tenantId: tenant.id, accountId }))
    const [row] = await owner('select payer from cell.payment where order_id = $1', [orderId])
    assert.equal(row?.['payer'].toString(), 'box')
  })
})
