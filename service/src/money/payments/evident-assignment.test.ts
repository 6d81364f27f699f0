import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { OperatorClient } from '../../../test/harness/callers/operator-client.ts'
import { individual } from '../../../test/harness/data/bodies.ts'
import { useSharedApis } from '../../../test/harness/installation/running-installation.ts'
import { createPaymentDesk } from '../../../test/harness/money/payment-desk.ts'
import { approvalRisks } from '../../sales/accounts/approval-risks.ts'

const ownIban = 'DE02120300000000202051'
const otherIban = 'FR1420041010050500013M02606'

describe('no payment reaches an account whose IBAN did not send it without a second person', async () => {
  const running = await useSharedApis()
  const { installation, operatorApi } = running
  let desk: Awaited<ReturnType<typeof createPaymentDesk>>

  beforeEach(async () => {
    desk = await createPaymentDesk(running)
    await installation.useDefaultPolicies(desk.tenant.id)
  })

  const buyer = (iban: string, firstName = 'Bob') =>
    desk.tenant.account({
      ...individual,
      individual: { ...individual.individual, firstName, lastName: 'Buyer' },
      communication: { email: `${crypto.randomUUID()}@example.com`, email_confirmed: true },
      bank_account: { ...individual.bank_account, account_holder: `${firstName} Buyer`, iban },
    })
  const order = (accountId: string, units?: string) => desk.tenant.order(desk.offeringId, accountId, units)
  const arrives = (payer: { name: string; iban: string | null } = { name: 'Bob Buyer', iban: ownIban }) =>
    desk.reportUnassigned({ payer })
  const assign = async (paymentId: string, orderId: string, clerk = desk.operator) =>
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
    await desk.tenant.patch(`/accounts/${accountId}`, { bank_account: { ...individual.bank_account, iban: otherIban } })
    await desk.tenant.patch(`/accounts/${accountId}`, {
      bank_account: { ...individual.bank_account, account_holder: 'Bob Buyer', iban: ownIban },
    })
    assert.equal(await assign(later, orderId), 202)
  })

  test('if the person has created the order or decided about the account', async () => {
    const { tenant, operator: clerk, offeringId } = desk
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
    assert.equal(await assign(payment, orderId, colleague), 200)
  })

  test('if a service user assigns it', async () => {
    const { token } = await installation.createServiceUser(desk.tenant.id, { duties: ['money'] })
    const orderId = await order(await buyer(ownIban))
    const path = `/unassigned-payments/${await arrives()}/assign`
    const response = await operatorApi.call('POST', path, { token, body: { order_id: orderId } })
    assert.equal(response.status, 202)
  })
})
