import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { html } from '../html.ts'
import { showMoney, showTokens } from '../money.ts'
import { type OrderPath, pathOf, requireOrder } from '../own-order.ts'
import { progressOf, showDay } from '../progress.ts'
import { requestTimeout, requireSession, type Shop, sendPage } from '../shop.ts'
import { withNotice } from '../simulation-forms.ts'
import { simulationButtons } from './simulations.ts'

const eventTimeoutMs = 1_000

/** The page of one order: how to pay, and its progress. */
export function orderPages(app: FastifyInstance, shop: Shop): void {
  const { service, orders, feed } = shop

  app.get<OrderPath>('/offerings/:offeringId/orders/:orderId', async (request, reply) => {
    const order = await requireOrder(shop, request)
    // Waits briefly for the payment reference. If it is not available yet, the progress stream sends it later.
    if (!orders.of(order.id).reference) await Promise.race([feed.poll().catch(() => {}), sleep(eventTimeoutMs)])
    const progress = progressOf(order, orders.of(order.id))
    const path = pathOf(order)
    const body = html`
      <p class="crumb"><a href="/portfolio">Portfolio</a></p>
      <h1>${showTokens(order.units, order.offering)} of ${order.offering.name}</h1>
      <p class="quiet">Ordered on ${showDay(order.created_at)} for ${showMoney(order.total_amount, order.currency)}.</p>
      <section class="panel" aria-label="Progress" data-stream="${progress.isOver ? '' : `${path}/progress`}">
        <p class="headline" role="status">${progress.headline}</p>
        <div data-details>${progress.details}</div>
      </section>
      ${
        !progress.isOver &&
        order.status !== 'MINTING' &&
        html`<form method="post" action="${path}/cancel"><button class="plain">Cancel this order</button></form>`
      }
      ${shop.hasSimulations && simulationButtons(path)}`
    const head = html`
      <script src="/progress.js" defer></script>
      ${!progress.isOver && html`<noscript><meta http-equiv="refresh" content="15"></noscript>`}`
    return sendPage(shop, request, reply, { title: `Order of ${order.offering.symbol}`, head, body })
  })

  app.post<OrderPath>('/offerings/:offeringId/orders/:orderId/cancel', async (request, reply) => {
    const order = await requireOrder(shop, request)
    await withNotice(requireSession(shop, request), () =>
      service.offerings.orders.cancel(order.offering.id, order.id, requestTimeout()),
    )
    return reply.redirect(pathOf(order), 303)
  })
}
