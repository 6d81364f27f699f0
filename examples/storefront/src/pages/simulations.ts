import type { PaymentSimulation } from '@investor-token/sdk'
import type { FastifyInstance } from 'fastify'
import { errorText } from '../error-text.ts'
import { type Html, html } from '../html.ts'
import { idempotencyKeyField, idempotencyKeyOf } from '../idempotency-key.ts'
import { type OrderPath, pathOf, requireOrder } from '../own-order.ts'
import { formOf, PageError, requestTimeout, requireSession, type Shop } from '../shop.ts'

const payments: readonly PaymentSimulation['kind'][] = ['exact', 'short', 'over']

const buttons = {
  exact: 'Pay the open amount',
  short: 'Pay half of it',
  over: 'Pay 50% too much',
  approve: 'Approve the investor',
  wallet: 'Add a wallet',
}

/** Simulates actions of the bank, the compliance team and the investor. The service offers this only in development. */
export function simulationPages(app: FastifyInstance, shop: Shop): void {
  const { simulations } = shop.service

  app.post<OrderPath>('/offerings/:offeringId/orders/:orderId/simulate', async (request, reply) => {
    if (!shop.hasSimulations) throw new PageError(404, 'This page does not exist.')
    const session = requireSession(shop, request)
    const order = await requireOrder(shop, request)
    const form = formOf(request)
    const options = { idempotencyKey: `simulate.${order.id}.${idempotencyKeyOf(form)}`, ...requestTimeout() }
    const action = form.get('action') ?? ''
    const kind = payments.find((one) => one === action)
    try {
      if (kind) await simulations.payment(order.id, { kind }, options)
      else if (action === 'approve')
        await simulations.decision(
          session.account.id,
          session.account.type === 'COMPANY' ? { kyb: 'APPROVED' } : { kyc: 'APPROVED' },
          options,
        )
      else if (action === 'wallet')
        await simulations.wallet(session.account.id, { offering_id: order.offering.id }, options)
    } catch (error) {
      const text = errorText(error)
      if (text === undefined) throw error
      session.notice = text
    }
    return reply.redirect(pathOf(order), 303)
  })
}

export function simulationButtons(path: string): Html {
  return html`
    <section class="development" aria-labelledby="simulate">
      <h2 id="simulate">Development: simulations</h2>
      <p class="note">Simulate the bank, the compliance team and the investor’s wallet. The rest is not simulated.</p>
      <div class="buttons">
        ${Object.entries(buttons).map(
          ([action, label]) => html`
            <form method="post" action="${path}/simulate">
              ${idempotencyKeyField()}
              <button class="tool" name="action" value="${action}">${label}</button>
            </form>`,
        )}
      </div>
    </section>`
}
