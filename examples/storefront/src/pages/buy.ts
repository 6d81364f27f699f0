import { type Offering, PayloadMismatchError, toUnits, ValidationError } from '@investor-token/sdk'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errorText, isOutcomeUnknown } from '../error-text.ts'
import { failuresOf, labelled } from '../fields.ts'
import { type Html, html } from '../html.ts'
import { idempotencyKeyField, idempotencyKeyOf } from '../idempotency-key.ts'
import { priceOf, showMoney, showTokens } from '../money.ts'
import { formOf, requestTimeout, requireSession, type Shop, sendPage } from '../shop.ts'

interface OfferingPath {
  Params: { offeringId: string }
}

/** The page of an offering: enter an amount, see its price, and order. */
export function buyPages(app: FastifyInstance, shop: Shop): void {
  const { service } = shop

  // GET, because showing a price changes nothing and the page can be reloaded.
  app.get<OfferingPath & { Querystring: { amount?: unknown } }>('/offerings/:offeringId', async (request, reply) => {
    const offering = await service.offerings.get(request.params.offeringId, requestTimeout())
    const { amount } = request.query
    return sendOffering(shop, request, reply, { offering, amount: typeof amount === 'string' ? amount : undefined })
  })

  app.post<OfferingPath>('/offerings/:offeringId/orders', async (request, reply) => {
    const session = requireSession(shop, request)
    const form = formOf(request)
    const input = { amount: form.get('amount') ?? '', idempotencyKey: idempotencyKeyOf(form) }
    const offering = await service.offerings.get(request.params.offeringId, requestTimeout())
    const { units } = readAmount(input.amount, offering)
    if (units === undefined) return sendOffering(shop, request, reply, { offering, ...input })
    try {
      const order = await service.offerings.orders.create(
        offering.id,
        { account_id: session.account.id, units, payment_provider: 'bank_transfer' },
        // The key includes the account, so another visitor cannot use a key that they have seen.
        { idempotencyKey: `order.${session.account.id}.${input.idempotencyKey}`, ...requestTimeout() },
      )
      // Redirect after POST, so that a reload does not submit the form again.
      return reply.redirect(`/offerings/${offering.id}/orders/${order.id}`, 303)
    } catch (error) {
      if (error instanceof PayloadMismatchError && error.earlierId) {
        session.notice = 'You have already placed this order, with the amount below. No new order was placed.'
        return reply.redirect(`/offerings/${offering.id}/orders/${error.earlierId}`, 303)
      }
      return sendOffering(shop, request, reply, { offering, ...input, error })
    }
  })
}

interface OfferingForm {
  readonly offering: Offering
  readonly amount?: string | undefined
  /** The key of the submitted form, so that submitting it again cannot place a second order. */
  readonly idempotencyKey?: string
  readonly error?: unknown
}

function sendOffering(shop: Shop, request: FastifyRequest, reply: FastifyReply, form: OfferingForm): FastifyReply {
  const { offering, amount, error } = form
  const read = amount === undefined ? {} : readAmount(amount, offering)
  const failure = error instanceof ValidationError ? failuresOf(error.failures, ['/units']).get('/units') : read.failure
  const message = error !== undefined && failure === undefined ? errorText(error) : undefined
  // An error without a message for the visitor goes to the error page and the log.
  if (error !== undefined && failure === undefined && message === undefined) throw error
  const field = {
    pointer: '/units',
    name: 'amount',
    label: `How many ${offering.symbol} would you like?`,
    hint: `At most ${offering.decimals} decimal places.`,
  }
  const body = html`
    <p class="crumb"><a href="/offerings">Offerings</a></p>
    <h1>${offering.name}</h1>
    <p class="lead">${showMoney(offering.price_per_token, offering.currency)} per ${offering.symbol}.
      ${showTokens(offering.available_units, offering)} are left.</p>
    ${message && html`<div class="message bad" role="alert"><p>${message}</p></div>`}
    <form method="get" action="/offerings/${offering.id}" class="panel" novalidate>
      ${labelled(field, amount === undefined ? undefined : new URLSearchParams({ amount }), failure)}
      <button ${read.units !== undefined && html`class="second"`}>Show the price</button>
    </form>
    ${read.units !== undefined && failure === undefined && quote(shop, request, form, read.units)}`
  const status = failure !== undefined ? 422 : isOutcomeUnknown(error) ? 503 : message === undefined ? 200 : 409
  return sendPage(shop, request, reply, { title: offering.name, body, status })
}

function quote(
  shop: Shop,
  request: FastifyRequest,
  { offering, amount, idempotencyKey }: OfferingForm,
  units: bigint,
): Html {
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
              ${idempotencyKeyField(idempotencyKey)}
              <input type="hidden" name="amount" value="${amount}">
              <button>Buy for ${price}</button>
            </form>`
          : html`<p>To buy, <a href="/join">open an account</a>: it takes two minutes.</p>`
      }
    </section>`
}

// More digits than any token has.
const amountLengthMax = 100

/** Converts the amount that the visitor typed into units, or returns what is wrong with it. */
function readAmount(text: string, offering: Offering): { units?: bigint; failure?: string } {
  const amount = text.trim()
  if (amount.length > amountLengthMax || !/^\d+(\.\d+)?$/.test(amount))
    return { failure: 'Please enter an amount in digits, such as 10 or 2.5.' }
  if ((amount.split('.')[1] ?? '').replace(/0+$/, '').length > offering.decimals)
    return { failure: `Please enter at most ${offering.decimals} decimal places.` }
  const units = toUnits(amount, offering.decimals)
  const { min_units: min, max_units: max, available_units: left } = offering
  if (units === 0n) return { failure: 'Please enter an amount greater than 0.' }
  if (min !== null && units < min) return { failure: `Please buy at least ${showTokens(min, offering)}.` }
  if (max !== null && units > max) return { failure: `Please buy at most ${showTokens(max, offering)}.` }
  if (units > left) return { failure: `Only ${showTokens(left, offering)} are left.` }
  return { units }
}
