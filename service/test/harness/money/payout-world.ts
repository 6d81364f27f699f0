import assert from 'node:assert/strict'
import { confirmAs } from '../callers/second-person.ts'
import type { RunningInstallation } from '../installation/running-installation.ts'
import { createPaymentDesk } from './payment-desk.ts'
import { readRefundFile } from './refund-file.ts'

/** Creates a tenant that needs a second person only to release payouts and to approve accounts. */
export async function createPayoutWorld(running: RunningInstallation) {
  const { installation, operatorApi } = running
  const { tenant, operator, accountId, order, report, refundsOf } = await createPaymentDesk(running)
  for (const policy of ['payout_release', 'refund_to_changed_account'] as const)
    await installation.useDefaultPolicies(tenant.id, policy)
  const second = await installation.createOperator(tenant.id, { role: 'admin' })
  /** Reports a payment from a bank account; null means that the account is unknown, as with a card. */
  const pay = (paymentReference: string, iban: string | null, amount = '125.00', currency = 'EUR') =>
    report({ paymentReference, amount, currency, payer: { name: 'Ada Lovelace', iban } })
  const cancel = (orderId: string) => tenant.fixtures.bringTo(tenant.id, orderId, 'CANCELLED')
  /** Creates a refund of a cancelled order that was paid from this account. */
  const refundOf = async (iban: string | null, account = accountId) => {
    const { id, reference } = await order(account)
    await pay(reference, iban)
    await cancel(id)
    return refundIdOf(id)
  }
  const refundIdOf = async (orderId: string): Promise<string> => (await refundsOf(orderId))[0].id
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
