import { randomBytes } from 'node:crypto'
import { standardHeaders, stripeHeaders } from '../servers/payment-provider.ts'
import type { Attack } from './attack.ts'
import { LoneClerk } from './attack-clerk.ts'

const secret = `whsec_${randomBytes(24).toString('base64')}`

export const madeUpProvider: Attack = {
  name: 'one admin creates a payment provider and signs notifications in its name',
  isShort: true,
  run: async (stack) => {
    const clerk = await LoneClerk.of(stack)
    const create = (body: object) => clerk.client.post('/payment-providers', body)
    const stripe = await create({ kind: 'stripe', secret })
    await clerk.tries('Stripe with a secret of theirs', stripe, 'waits')
    const own = await create({ kind: 'standard', name: 'acme-pay' })
    await clerk.tries('an own provider', own, 'waits')
    const data = {
      reference: 'A-1',
      payment_reference: clerk.reference,
      amount: '1000000.00',
      currency: 'EUR',
      received_at: '2026-07-02T10:00:00Z',
    }
    const body = JSON.stringify({ type: 'payment.received', timestamp: new Date().toISOString(), data })
    for (const [proposal, headers] of [
      [stripe, stripeHeaders(body, secret)],
      [own, standardHeaders(body, secret)],
    ] as const) {
      const path = `/payment-notifications/${proposal.body.approval_id}`
      const response = await (await stack.api()).call('POST', path, { body, headers })
      await clerk.tries('a notification', response, 'signature_invalid')
    }
    return clerk.result()
  },
}
