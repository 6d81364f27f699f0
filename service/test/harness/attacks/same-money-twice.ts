import { setTimeout as sleep } from 'node:timers/promises'
import { camt053 } from '../money/camt053.ts'
import { until } from '../wait.ts'
import type { Attack } from './attack.ts'
import { send } from './attack-stack.ts'

/** Not an attack from outside: an operator records a payment by hand that the bank file reports the next day. */
export const sameMoneyTwice: Attack = {
  name: 'the same payment recorded by hand and imported from the bank',
  run: async (stack) => {
    await stack.worker()
    const tenant = await stack.tenant()
    const admin = await stack.admin(tenant)
    const offeringId = await tenant.fixtures.offering(tenant.id)
    const orderId = await tenant.order(offeringId, await tenant.account())
    const { payment_reference: reference, total_amount: total } = (await admin.get(`/orders/${orderId}`)).body
    await tenant.fixtures.pay(tenant.id, orderId)
    const amount = Number(total).toFixed(2)
    const { text } = await send(`${(await stack.operatorApi()).baseUrl}/operator/statements`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin.who.token}`, 'content-type': 'application/xml' },
      body: camt053({ entries: [{ amount, text: reference }] }),
    })
    const { id } = JSON.parse(text).statements[0]
    const pending = async () => (await admin.get(`/statements/${id}`)).body.pending
    await until('the statement is processed', async () => (await pending()) === 0, 20_000)
    await sleep(200)
    const refunds = (await admin.get(`/refunds?order_id=${orderId}`)).body.results
    const observed = refunds.length > 0 ? `a refund of ${refunds[0].amount} EUR is due` : 'no refund is due'
    return { isDefended: refunds.length === 0, observed }
  },
}
