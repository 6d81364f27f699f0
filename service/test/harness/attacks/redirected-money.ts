import { setTimeout as sleep } from 'node:timers/promises'
import type { OperatorClient } from '../callers/operator-client.ts'
import { individual } from '../data/bodies.ts'
import type { ApiResponse } from '../installation/api-client.ts'
import { camt053 } from '../money/camt053.ts'
import { createPayoutWorld } from '../money/payout-world.ts'
import { StatementWorld } from '../money/statement-world.ts'
import { until } from '../wait.ts'
import type { Attack } from './attack.ts'
import type { AttackStack } from './attack-stack.ts'

/** Not an attack from outside: an operator records a payment by hand that the bank file reports the next day. */
export const sameMoneyTwice: Attack = {
  name: 'the same payment recorded by hand and imported from the bank',
  run: async (stack) => {
    await stack.worker()
    const tenant = await stack.tenant()
    const admin = await stack.user(tenant)
    const { orderId, reference } = await stack.order(tenant)
    await tenant.fixtures.pay(tenant.id, orderId)
    const file = camt053({ entries: [{ amount: '125.00', text: reference }] })
    const [{ id }] = (await admin.upload('/statements', file)).body.statements
    const pending = async () => (await admin.get(`/statements/${id}`)).body.pending
    await until('the statement is processed', async () => (await pending()) === 0, 20_000)
    await sleep(200)
    const refunds = (await admin.get(`/refunds?order_id=${orderId}`)).body.results
    const observed = refunds.length > 0 ? `a refund of ${refunds[0].amount} EUR is due` : 'no refund is due'
    return { isDefended: refunds.length === 0, observed }
  },
}

const payerIban = 'DE02120300000000202051'
const first = { ...individual.bank_account, account_holder: 'Mallory First', iban: 'DE02500105170137075030' }
const second = { ...individual.bank_account, account_holder: 'Ada Lovelace', iban: 'FR1420041010050500013M02606' }

/** The attacker has a stolen token of an integrator with account.update. The operators follow the rules. */
export const redirectedRefunds: Attack = {
  name: 'bank data replaced after the payment, and again after the payout was created',
  isShort: true,
  run: async (stack) => {
    const [api, operatorApi] = await Promise.all([stack.api(), stack.operatorApi()])
    const world = await createPayoutWorld({ installation: stack.installation, api, operatorApi })
    const { refundOf, changeBankAccount, createPayout, release, download, paidIbans } = world
    await refundOf(payerIban)
    const byCard = await refundOf(null)
    await changeBankAccount(first)
    const { id, left_out: leftOut } = (await createPayout()).body
    await changeBankAccount(second)
    const unreleased = (await download(id)).body?.error?.code
    await release(id)
    const paid = (await paidIbans(id)).join()
    const reason = leftOut.find(({ refund_id }: { refund_id: string }) => refund_id === byCard)?.reason
    const later = (await createPayout()).body.error?.code
    const isLeftOut = reason === 'bank_account_changed' && later === 'no_refund_due'
    const observed =
      `the refund of a bank transfer went ${paid === payerIban ? 'back to its payer' : `to ${paid}`}, the other one ` +
      `was ${reason ? `left out: ${reason}` : 'paid'}, a download without release: ${unreleased}`
    return { isDefended: paid === payerIban && isLeftOut && unreleased === 'payout_not_released', observed }
  },
}

const payer = { payerName: 'Ada Lovelace', payerIban }

/** Lets two people release the refund of a late payment; the bank has its file. Then one clerk acts alone. */
async function paidOut(stack: AttackStack) {
  const world = await StatementWorld.create(await stack.running())
  const { tenant, installation } = world
  const order = await world.order()
  await installation.rows(`update cell.token_order set status = 'NOPAYMENT' where id = $1`, [order.id])
  await world.importEntries([{ amount: '125.00', text: order.reference, ...payer }])
  const [{ id: refundId }] = await world.refundsOf(order.id)
  await installation.useDefaultPolicies(tenant.id)
  const clerk = await stack.user(tenant, 'operator')
  const { id: payoutId } = (await clerk.post('/payouts', {})).body
  await clerk.postTogether(`/payouts/${payoutId}/release`)
  const { status } = await clerk.download(`/payouts/${payoutId}/download`)
  if (status !== 200) throw new Error(`two persons cannot pay a refund: ${status}`)
  return { world, clerk, orderId: order.id, refundId, payoutId }
}

const outcome = ({ status, body }: ApiResponse) => (status === 202 ? 'waits' : (body.error?.code ?? body.status))

function refundAndTokens(
  name: string,
  payAgain: (clerk: OperatorClient, orderId: string) => Promise<ApiResponse>,
): Attack {
  return {
    name: `one clerk fails a refund that was paid, retries it and ${name}`,
    isShort: true,
    run: async (stack) => {
      const { world, clerk, orderId, refundId } = await paidOut(stack)
      const fail = outcome(await clerk.post(`/refunds/${refundId}/fail`, { failure: 'AC04' }))
      const retry = outcome(await clerk.post(`/refunds/${refundId}/retry`))
      const again = outcome(await payAgain(clerk, orderId))
      const [status] = await world.orderState(orderId)
      const observed = `fail: ${fail}, retry: ${retry}, then: ${again}, the order is ${status}`
      return { isDefended: fail === 'waits' && status !== 'PAID', observed }
    },
  }
}

export const refundAndLatePayment = refundAndTokens('accepts the late payment', (clerk, orderId) =>
  clerk.post(`/orders/${orderId}/accept-late-payment`),
)

export const refundAndDeadline = refundAndTokens('extends the deadline', (clerk, orderId) =>
  clerk.post(`/orders/${orderId}/extend`, { payment_due_at: new Date(Date.now() + 86_400_000).toISOString() }),
)

export const secondPayout: Attack = {
  name: 'a refund that was paid goes into a second payout without a word about the first',
  isShort: true,
  run: async (stack) => {
    const { clerk, refundId, payoutId } = await paidOut(stack)
    // Two persons are wrong about the first transfer.
    const fail = await clerk.post(`/refunds/${refundId}/fail`, { failure: 'AC04' })
    if (fail.status === 202) await clerk.postTogether(`/refunds/${refundId}/fail`, { failure: 'AC04' })
    const retry = await clerk.post(`/refunds/${refundId}/retry`)
    if (retry.status === 202) await clerk.postTogether(`/refunds/${refundId}/retry`)
    const { id } = (await clerk.post('/payouts', {})).body
    const [payout, transfers] = [
      (await clerk.get(`/payouts/${id}`)).text,
      (await clerk.get(`/payouts/${id}/transfers`)).text,
    ]
    const isNamed = payout.includes(payoutId) && transfers.includes(payoutId)
    const alone = fail.status !== 202 || retry.status !== 202
    const observed = `one person ${alone ? 'can' : 'cannot'} retry it, the second person ${isNamed ? 'sees' : 'misses'} the first file`
    return { isDefended: isNamed && !alone, observed }
  },
}

const outsiderIban = 'FR1420041010050500013M02606'

/** The clerk works with an outsider, who opens an account under the name of a payer who has forgotten the reference. */
export const strayPayment: Attack = {
  name: 'one clerk assigns a payment without reference to an account under the name of its payer',
  isShort: true,
  run: async (stack) => {
    const world = await StatementWorld.create(await stack.running())
    const { tenant, installation } = world
    const buyer = (email: string, iban: string) =>
      tenant.account({
        ...individual,
        individual: { ...individual.individual, firstName: 'Bob', lastName: 'Buyer' },
        communication: { email, email_confirmed: true },
        bank_account: { ...individual.bank_account, account_holder: 'Bob Buyer', iban },
      })
    const [{ id: offeringId }] = (await world.operator.get('/offerings')).body.results
    const realOrder = await tenant.order(offeringId, await buyer('bob@example.com', payerIban))
    await world.importEntries([{ amount: '125.00', text: 'tokens', payerName: 'Bob Buyer', payerIban }])
    await installation.useDefaultPolicies(tenant.id)
    const account_id = await buyer('mallory@example.com', outsiderIban)
    const clerk = await stack.user(tenant, 'operator')
    const [payment] = (await clerk.get('/unassigned-payments')).body.results
    const order = { account_id, units: '1000000000', reason: 'by telephone' }
    const { id: orderId } = (await clerk.post(`/offerings/${offeringId}/orders`, order)).body
    const { status } = await clerk.post(`/unassigned-payments/${payment.id}/assign`, { order_id: orderId })
    const [[outsider], [real]] = [await world.orderState(orderId), await world.orderState(realOrder)]
    const observed = `assigning: ${status === 202 ? 'waits' : status}, the outsider's order is ${outsider}, the payer's ${real}`
    return { isDefended: status === 202 && outsider === 'ORDERED', observed }
  },
}
