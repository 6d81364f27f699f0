import type { PaymentSimulation } from '@investor-token/sdk'
import type { FastifyInstance } from 'fastify'
import { type Html, html } from '../html.ts'
import { intentionField, intentionOf } from '../intention.ts'
import { type OrderPath, pathOf, requireOrder } from '../own-order.ts'
import { refusalText } from '../refusal-text.ts'
import { formOf, patience, Refusal, requireSession, type Shop } from '../shop.ts'

const payments: readonly PaymentSimulation['kind'][] = ['exact', 'short', 'over']

const buttons = {
  exact: 'Pay what is missing',
  short: 'Pay half of it',
  over: 'Pay half too much',
  approve: 'Approve the investor',
  wallet: 'Give a wallet',
}

/** What others do, at the push of a button: in development only, where the service offers it. */
export function simulationPages(app: FastifyInstance, shop: Shop): void {
  const { simulations } = shop.service

  app.post<OrderPath>('/offerings/:offeringId/orders/:orderId/simulate', async (request, reply) => {
    if (!shop.hasSimulations) throw new Refusal(404, 'There is no such page.')
    const session = requireSession(shop, request)
    const order = await requireOrder(shop, request)
    const form = formOf(request)
    const options = { idempotencyKey: `simulate.${order.id}.${intentionOf(form)}`, ...patience() }
    const what = form.get('what') ?? ''
    const kind = payments.find((one) => one === what)
    try {
      if (kind) await simulations.payment(order.id, { kind }, options)
      else if (what === 'approve')
        await simulations.decision(
          session.account.id,
          session.account.type === 'COMPANY' ? { kyb: 'APPROVED' } : { kyc: 'APPROVED' },
          options,
        )
      else if (what === 'wallet')
        await simulations.wallet(session.account.id, { offering_id: order.offering.id }, options)
    } catch (error) {
      const text = refusalText(error)
      if (text === undefined) throw error
      session.notice = text
    }
    return reply.redirect(pathOf(order), 303)
  })
}

export function simulationButtons(path: string): Html {
  return html`
    <section class="development" aria-labelledby="simulate">
      <h2 id="simulate">Development: simulate what others do</h2>
      <p class="note">The bank, the compliance desk and the investor’s wallet. The service does the rest for real.</p>
      <div class="buttons">
        ${Object.entries(buttons).map(
          ([what, label]) => html`
            <form method="post" action="${path}/simulate">
              ${intentionField()}
              <button class="tool" name="what" value="${what}">${label}</button>
            </form>`,
        )}
      </div>
    </section>`
}
