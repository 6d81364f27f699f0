import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { OperatorClient } from '../../../test/harness/callers/operator-client.ts'
import { individual } from '../../../test/harness/data/bodies.ts'
import { TestTenant } from '../../../test/harness/data/tenant.ts'
import type { RunningApi } from '../../../test/harness/installation/running-api.ts'
import { sharedInstallation } from '../../../test/harness/installation/shared-installation.ts'
import type { TestInstallation } from '../../../test/harness/installation/test-installation.ts'
import { reportPayment } from '../../../test/harness/money/incoming-payment.ts'
import { approvalRisks } from '../../sales/accounts/approval-risks.ts'

const ownIban = 'DE02120300000000202051'
const otherIban = 'FR1420041010050500013M02606'

describe('no payment reaches an account whose IBAN did not send it without a second person', () => {
  let installation: TestInstallation
  let api: RunningApi
  let operatorApi: RunningApi
  let tenant: TestTenant
  let clerk: OperatorClient
  let offeringId: string

  before(async () => {
    installation = await sharedInstallation()
    ;[api, operatorApi] = await Promise.all([installation.startApi(), installation.startOperatorApi()])
  })
  after(() => installation.end())
  beforeEach(async () => {
    tenant = await TestTenant.create(installation, api)
    clerk = await OperatorClient.create(installation, operatorApi, tenant.id, 'operator')
    offeringId = await tenant.fixtures.offering(tenant.id)
    await installation.useDefaultPolicies(tenant.id)
  })

  const buyer = (iban: string, firstName = 'Bob') =>
    tenant.account({
      ...individual,
      individual: { ...individual.individual, firstName, lastName: 'Buyer' },
      communication: { email: `${crypto.randomUUID()}@example.com`, email_confirmed: true },
      bank_account: { ...individual.bank_account, account_holder: `${firstName} Buyer`, iban },
    })
  const order = (accountId: string, units?: string) => tenant.order(offeringId, accountId, units)
  const arrives = async (
    payer: { name: string | null; iban: string | null } = { name: 'Bob Buyer', iban: ownIban },
  ) => {
    const booked = await reportPayment(installation, tenant.id, { payer })
    return booked.kind === 'unassigned' ? booked.id : ''
  }
  const assign = async (paymentId: string, orderId: string) =>
    (await clerk.post(`/unassigned-payments/${paymentId}/assign`, { order_id: orderId })).status

  test('one person assigns it if the IBAN is that of the account and the order is the only candidate', async () => {
    const orderId = await order(await buyer(ownIban))
    assert.equal(await assign(await arrives(), orderId), 200)
  })

  test('from another IBAN, or from none, under the same name', async () => {
    const orderId = await order(await buyer(otherIban))
    assert.equal(await assign(await arrives(), orderId), 202)
    assert.equal(await assign(await arrives({ name: 'Bob Buyer', iban: null }), orderId), 202)
  })

  test('under another name', async () => {
    const orderId = await order(await buyer(ownIban))
    assert.equal(await assign(await arrives({ name: 'Charles Babbage', iban: ownIban }), orderId), 202)
  })

  test('if the same amount is outstanding on another order', async () => {
    const orderId = await order(await buyer(ownIban))
    await order(await buyer(otherIban, 'Maria'))
    assert.equal(await assign(await arrives(), orderId), 202)
  })

  test('if another account has the IBAN, whatever is outstanding on its orders', async () => {
    const orderId = await order(await buyer(ownIban))
    await order(await buyer(ownIban.toLowerCase(), 'Maria'), '2000000000')
    assert.equal(await assign(await arrives(), orderId), 202)
  })

  test('if the order, the account or its IBAN are newer than the payment', async () => {
    const accountId = await buyer(ownIban)
    const early = await arrives()
    const orderId = await order(accountId)
    assert.equal(await assign(early, orderId), 202)
    const later = await arrives()
    await tenant.patch(`/accounts/${accountId}`, { bank_account: { ...individual.bank_account, iban: otherIban } })
    await tenant.patch(`/accounts/${accountId}`, {
      bank_account: { ...individual.bank_account, account_holder: 'Bob Buyer', iban: ownIban },
    })
    assert.equal(await assign(later, orderId), 202)
  })

  test('if the person has created the order or decided about the account', async () => {
    const accountId = await buyer(ownIban)
    const body = { account_id: accountId, units: '1000000000', reason: 'by telephone' }
    const created = await clerk.post(`/offerings/${offeringId}/orders`, body)
    assert.equal(created.status, 201, created.text)
    assert.equal(await assign(await arrives(), created.body.id), 202)
    await clerk.post(`/orders/${created.body.id}/cancel`, { reason: 'by telephone' })
    const orderId = await order(accountId)
    const payment = await arrives()
    const colleague = await OperatorClient.create(installation, operatorApi, tenant.id, 'operator')
    await clerk.post(`/accounts/${accountId}/decision`, {
      kyc: 'APPROVED',
      reason: 'passport seen',
      acknowledged: approvalRisks,
    })
    assert.equal(await assign(payment, orderId), 202)
    const path = `/unassigned-payments/${payment}/assign`
    assert.equal((await colleague.post(path, { order_id: orderId })).status, 200)
  })

  test('if a service user assigns it', async () => {
    const { token } = await installation.createServiceUser(tenant.id, { duties: ['money'] })
    const orderId = await order(await buyer(ownIban))
    const path = `/unassigned-payments/${await arrives()}/assign`
    const response = await operatorApi.call('POST', path, { token, body: { order_id: orderId } })
    assert.equal(response.status, 202)
  })
})
