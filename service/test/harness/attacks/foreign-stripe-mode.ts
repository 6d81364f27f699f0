import { createProvider, stripeHeaders, stripeSecret } from '../servers/payment-provider.ts'
import type { Attack } from './attack.ts'
import { send } from './attack-stack.ts'

/** The stack runs in development, where only test payments may count; in live it is the reverse. */
export const foreignStripeMode: Attack = {
  name: "a Stripe payment of the other mode than the environment's",
  isShort: true,
  run: async (stack) => {
    const tenant = await stack.tenant()
    const admin = await stack.admin(tenant)
    const offeringId = await tenant.fixtures.offering(tenant.id)
    const orderId = await tenant.order(offeringId, await tenant.account())
    const { payment_reference: reference } = (await admin.get(`/orders/${orderId}`)).body
    const provider = await createProvider(stack.installation, tenant.id, { kind: 'stripe', secret: stripeSecret })
    const object = {
      object: 'payment_intent',
      id: `pi_${crypto.randomUUID().replaceAll('-', '')}`,
      status: 'succeeded',
      amount_received: 12_500,
      currency: 'eur',
      metadata: { payment_reference: reference },
    }
    const event = { id: 'evt_1', object: 'event', livemode: true, created: 1_782_986_400, data: { object } }
    const body = JSON.stringify({ ...event, type: 'payment_intent.succeeded' })
    const { baseUrl } = await stack.api()
    const { status } = await send(`${baseUrl}/api/payment-notifications/${provider.id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...stripeHeaders(body, provider.secret) },
      body,
    })
    const payments = (await admin.get(`/orders/${orderId}/payments`)).body.pagination.count
    return { isDefended: payments === 0, observed: `the response is ${status}, and ${payments} payments were booked` }
  },
}
