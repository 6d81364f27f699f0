import type { Offering } from '@investor-token/sdk'
import type { FastifyInstance } from 'fastify'
import { type Html, html } from '../html.ts'
import { showMoney, showTokens } from '../money.ts'
import { requestTimeout, type Shop, sendPage } from '../shop.ts'

/** The list of open offerings. */
export function offeringPages(app: FastifyInstance, shop: Shop): void {
  app.get('/', (_request, reply) => reply.redirect('/offerings', 303))

  app.get('/offerings', async (request, reply) => {
    const { results } = await shop.service.offerings.list(requestTimeout()).page({ direction: 'desc' })
    const open = results.filter(({ status }) => status === 'OPEN')
    const body = html`
      <h1>Own a piece of the harbour</h1>
      <p class="lead">Tokens of real assets at a fixed price. Choose an offering to start.</p>
      ${open.length === 0 && html`<p>Nothing is for sale at the moment.</p>`}
      <ul class="cards">${open.map(card)}</ul>`
    return sendPage(shop, request, reply, { title: 'Offerings', body })
  })
}

function card(offering: Offering): Html {
  const price = showMoney(offering.price_per_token, offering.currency)
  return html`
    <li class="card">
      <h2><a href="/offerings/${offering.id}">${offering.name}</a></h2>
      <p class="price">${price} <span>per ${offering.symbol}</span></p>
      <p class="quiet">${showTokens(offering.available_units, offering)} left</p>
    </li>`
}
