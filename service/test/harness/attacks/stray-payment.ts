import { OperatorClient } from '../callers/operator-client.ts'
import { individual } from '../data/bodies.ts'
import { StatementWorld } from '../money/statement-world.ts'
import type { Attack } from './attack.ts'

const payerIban = 'DE02120300000000202051'
const outsiderIban = 'FR1420041010050500013M02606'

/** The clerk works with an outsider, who opens an account under the name of a payer who has forgotten the reference. */
export const strayPayment: Attack = {
  name: 'one clerk assigns a payment without reference to an account under the name of its payer',
  isShort: true,
  run: async (stack) => {
    const world = await StatementWorld.create(await stack.running())
    const { tenant, installation, operatorApi } = world
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
    const clerk = await OperatorClient.create(installation, operatorApi, tenant.id, 'operator')
    const [payment] = (await clerk.get('/unassigned-payments')).body.results
    const order = { account_id, units: '1000000000', reason: 'by telephone' }
    const { id: orderId } = (await clerk.post(`/offerings/${offeringId}/orders`, order)).body
    const { status } = await clerk.post(`/unassigned-payments/${payment.id}/assign`, { order_id: orderId })
    const [[outsider], [real]] = [await world.orderState(orderId), await world.orderState(realOrder)]
    const observed = `assigning: ${status === 202 ? 'waits' : status}, the outsider's order is ${outsider}, the payer's ${real}`
    return { isDefended: status === 202 && outsider === 'ORDERED', observed }
  },
}
