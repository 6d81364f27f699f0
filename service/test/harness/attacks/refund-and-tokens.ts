import { OperatorClient } from '../callers/operator-client.ts'
import type { ApiResponse } from '../installation/api-client.ts'
import { StatementWorld } from '../money/statement-world.ts'
import type { Attack } from './attack.ts'
import type { AttackStack } from './attack-stack.ts'

const payer = { payerName: 'Ada Lovelace', payerIban: 'DE02120300000000202051' }

/** Lets two people release the refund of a late payment, whose file the bank has. Then one clerk acts alone. */
async function paidOut(stack: AttackStack) {
  const world = await StatementWorld.create(await stack.running())
  const { tenant, installation, operatorApi } = world
  const order = await world.order()
  await installation.rows(`update cell.token_order set status = 'NOPAYMENT' where id = $1`, [order.id])
  await world.importEntries([{ amount: '125.00', text: order.reference, ...payer }])
  const [{ id: refundId }] = await world.refundsOf(order.id)
  await installation.useDefaultPolicies(tenant.id)
  const clerk = await OperatorClient.create(installation, operatorApi, tenant.id, 'operator')
  const { id: payoutId } = (await clerk.post('/payouts', {})).body
  await clerk.postTogether(`/payouts/${payoutId}/release`)
  const download = { token: clerk.who.token, fileType: 'application/xml' }
  const { status } = await operatorApi.call('POST', `/payouts/${payoutId}/download`, download)
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
