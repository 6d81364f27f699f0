import type { Attack } from './attack.ts'
import { LoneClerk } from './attack-clerk.ts'

export const madeUpPayment: Attack = {
  name: 'one clerk records a payment of a million for an order of 12.50 and pays it out',
  isShort: true,
  run: async (stack) => {
    const clerk = await LoneClerk.of(stack)
    const record = (amount: string) => clerk.client.post(`/orders/${clerk.orderId}/payments`, clerk.payment(amount))
    await clerk.tries('a million', await record('1000000.00'), 'payment_exceeds_order')
    await clerk.tries('the whole order', await record('12.50'), 'waits')
    return clerk.result()
  },
}
