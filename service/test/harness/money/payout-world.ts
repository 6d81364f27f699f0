import assert from 'node:assert/strict'
import { OperatorClient } from '../callers/operator-client.ts'
import { confirmAs } from '../callers/second-person.ts'
import { TestTenant } from '../data/tenant.ts'
import { reportPayment } from './incoming-payment.ts'
import { readRefundFile } from './refund-file.ts'
import type { RunningInstallation } from './statement-world.ts'

/** Creates a tenant that needs a second person only to release payouts and to approve accounts. */
export async function createPayoutWorld({ installation, api, operatorApi }: RunningInstallation) {
  const tenant = await TestTenant.create(installation, api)
  await installation.rows(
    `delete from directory.approval_policy
       where tenant_id = $1 and policy in ('payout_release', 'refund_to_changed_account')`,
    [tenant.id],
  )
  const [operator, second] = [
    await OperatorClient.create(installation, operatorApi, tenant.id),
    await installation.createOperator(tenant.id, { role: 'admin' }),
  ]
  const offeringId = await tenant.fixtures.offering(tenant.id)
  const accountId = await tenant.account()
  const order = async (account = accountId, from = offeringId) => {
    const orderId = await tenant.order(from, account)
    return { orderId, reference: String((await operator.get(`/orders/${orderId}`)).body.payment_reference) }
  }
  /** Reports a payment from a bank account; null means that the account is unknown, as with a card. */
  const pay = (reference: string, iban: string | null, amount = '125.00', currency = 'EUR') =>
    reportPayment(installation, tenant.id, {
      paymentReference: reference,
      amount,
      currency,
      payer: { name: 'Ada Lovelace', iban },
    })
  const cancel = (orderId: string) => tenant.fixtures.bringTo(tenant.id, orderId, 'CANCELLED')
  /** Creates a refund of a cancelled order that was paid from this account. */
  const refundOf = async (iban: string | null, account = accountId) => {
    const { orderId, reference } = await order(account)
    await pay(reference, iban)
    await cancel(orderId)
    return refundIdOf(orderId)
  }
  const refundIdOf = async (orderId: string) => {
    const [refund] = (await operator.get(`/refunds?order_id=${orderId}`)).body.results
    return refund.id as string
  }
  const changeBankAccount = async (bank_account: object, account = accountId) =>
    assert.equal((await tenant.patch(`/accounts/${account}`, { bank_account })).status, 200)
  const createPayout = () => operator.post('/payouts', {})
  const transfersOf = async (payoutId: string) =>
    (await operator.get(`/payouts/${payoutId}/transfers`)).body.results.map(
      (one: Record<string, string>) => `${one['source']} ${one['creditor_iban']}`,
    )
  const release = async (payoutId: string) =>
    confirmAs(operatorApi, second, await operator.post(`/payouts/${payoutId}/release`))
  const download = (payoutId: string) => operator.download(`/payouts/${payoutId}/download`)
  const paidIbans = async (payoutId: string) =>
    readRefundFile((await download(payoutId)).text).blocks.flatMap(({ transfers }) => transfers.map(({ iban }) => iban))
  const approve = async (refundId: string) =>
    confirmAs(operatorApi, second, await operator.post(`/refunds/${refundId}/approve-account`))
  const money = { order, pay, cancel, refundOf, refundIdOf, changeBankAccount, approve }
  return { tenant, operator, second, accountId, ...money, createPayout, transfersOf, release, download, paidIbans }
}
