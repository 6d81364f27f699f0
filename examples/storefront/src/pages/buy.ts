import { type Offering, PayloadMismatchError, toUnits, ValidationError } from '@investor-token/sdk'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { failuresOf, labelled } from '../fields.ts'
import { type Html, html } from '../html.ts'
import { intentionField, intentionOf } from '../intention.ts'
import { priceOf, showMoney, showTokens } from '../money.ts'
import { isUnsure, refusalText } from '../refusal-text.ts'
import { formOf, patience, requireSession, type Shop, sendPage } from '../shop.ts'

interface OfferingPath {
  Params: { offeringId: string }
}

/** An amount, its price, and one button that orders. */
export function buyPages(app: FastifyInstance, shop: Shop): void {
  const { service } = shop

  // The price is a question, so it is asked with GET: it can be reloaded and changes nothing.
  app.get<OfferingPath & { Querystring: { amount?: unknown } }>('/offerings/:offeringId', async (request, reply) => {
    const offering = await service.offerings.get(request.params.offeringId, patience())
    const { amount } = request.query
    return sendOffering(shop, request, reply, { offering, amount: typeof amount === 'string' ? amount : undefined })
  })

  app.post<OfferingPath>('/offerings/:offeringId/orders', async (request, reply) => {
    const session = requireSession(shop, request)
    const form = formOf(request)
    const asked = { amount: form.get('amount') ?? '', intention: intentionOf(form) }
    const offering = await service.offerings.get(request.params.offeringId, patience())
    const { units } = readAmount(asked.amount, offering)
    if (units === undefined) return sendOffering(shop, request, reply, { offering, ...asked })
    try {
      const order = await service.offerings.orders.create(
        offering.id,
        { account_id: session.account.id, units, payment_provider: 'bank_transfer' },
        // The account is part of the key, so that a key which somebody else has seen is of no use to them.
        { idempotencyKey: `order.${session.account.id}.${asked.intention}`, ...patience() },
      )
      // Away from the form: a reload of what comes next asks for a page and orders nothing.
      return reply.redirect(`/offerings/${offering.id}/orders/${order.id}`, 303)
    } catch (error) {
      if (error instanceof PayloadMismatchError && error.earlierId) {
        session.notice = 'You had placed this order before, with the amount below. Nothing was ordered now.'
        return reply.redirect(`/offerings/${offering.id}/orders/${error.earlierId}`, 303)
      }
      return sendOffering(shop, request, reply, { offering, ...asked, error })
    }
  })
}

interface Asked {
  readonly offering: Offering
  readonly amount?: string | undefined
  /** Of the form that came in, so that sending it once more is the same intention. */
  readonly intention?: string
  readonly error?: unknown
}

function sendOffering(shop: Shop, request: FastifyRequest, reply: FastifyReply, asked: Asked): FastifyReply {
  const { offering, amount, error } = asked
  const read = amount === undefined ? {} : readAmount(amount, offering)
  const failure = error instanceof ValidationError ? failuresOf(error.failures, ['/units']).get('/units') : read.failure
  const refused = error !== undefined && failure === undefined ? refusalText(error) : undefined
  // What nobody can explain to a visitor is for the page of errors and the log.
  if (error !== undefined && failure === undefined && refused === undefined) throw error
  const field = {
    pointer: '/units',
    name: 'amount',
    label: `How many ${offering.symbol} would you like?`,
    hint: `At most ${offering.decimals} digits behind the point.`,
  }
  const body = html`
    <p class="crumb"><a href="/offerings">Offerings</a></p>
    <h1>${offering.name}</h1>
    <p class="lead">${showMoney(offering.price_per_token, offering.currency)} for 1 ${offering.symbol}.
      ${showTokens(offering.available_units, offering)} are left.</p>
    ${refused && html`<div class="message bad" role="alert"><p>${refused}</p></div>`}
    <form method="get" action="/offerings/${offering.id}" class="panel" novalidate>
      ${labelled(field, amount === undefined ? undefined : new URLSearchParams({ amount }), failure)}
      <button ${read.units !== undefined && html`class="second"`}>Show the price</button>
    </form>
    ${read.units !== undefined && failure === undefined && quote(shop, request, asked, read.units)}`
  const status = failure !== undefined ? 422 : isUnsure(error) ? 503 : refused === undefined ? 200 : 409
  return sendPage(shop, request, reply, { title: offering.name, body, status })
}

function quote(shop: Shop, request: FastifyRequest, { offering, amount, intention }: Asked, units: bigint): Html {
  const price = showMoney(priceOf(units, offering), offering.currency)
  return html`
    <section class="panel" aria-labelledby="quote">
      <h2 id="quote">Your order</h2>
      <dl>
        <dt>You get</dt><dd>${showTokens(units, offering)}</dd>
        <dt>You pay</dt><dd><strong>${price}</strong> by bank transfer</dd>
      </dl>
      ${
        shop.sessions.of(request)
          ? html`<form method="post" action="/offerings/${offering.id}/orders">
              ${intentionField(intention)}
              <input type="hidden" name="amount" value="${amount}">
              <button>Buy for ${price}</button>
            </form>`
          : html`<p>To buy, <a href="/join">open an account</a>: it takes two minutes.</p>`
      }
    </section>`
}

// More digits than any token has.
const amountLengthMax = 100

/** The units of an amount as somebody has typed it, or what is wrong with it in their words. */
function readAmount(text: string, offering: Offering): { units?: bigint; failure?: string } {
  const amount = text.trim()
  if (amount.length > amountLengthMax || !/^\d+(\.\d+)?$/.test(amount))
    return { failure: 'Please enter an amount in digits, such as 10 or 2.5.' }
  if ((amount.split('.')[1] ?? '').replace(/0+$/, '').length > offering.decimals)
    return { failure: `Please enter at most ${offering.decimals} digits behind the point.` }
  const units = toUnits(amount, offering.decimals)
  const { min_units: min, max_units: max, available_units: left } = offering
  if (units === 0n) return { failure: 'Please enter more than nothing.' }
  if (min !== null && units < min) return { failure: `Please buy at least ${showTokens(min, offering)}.` }
  if (max !== null && units > max) return { failure: `Please buy at most ${showTokens(max, offering)}.` }
  if (units > left) return { failure: `Only ${showTokens(left, offering)} are left.` }
  return { units }
}
