import type { Order } from '@investor-token/sdk'
import { type Content, type Html, html } from './html.ts'
import { showMoney, showTokens } from './money.ts'
import type { OrderState } from './order-cache.ts'

/** The progress of an order as shown to the visitor: a headline, the steps, and what to do next. */
export interface Progress {
  readonly headline: string
  readonly details: Html
  /** True if the order is in a final status. */
  readonly isOver: boolean
}

type OrderDetails = Pick<OrderState, 'reference' | 'dueAt' | 'blockers'>

export function progressOf(order: Order, state: OrderDetails): Progress {
  const isOver = order.status === 'MINTED' || order.status === 'CANCELLED'
  return {
    headline: headlineOf(order, state),
    details: html`${path.includes(order.status) && steps(order)} ${advice(order, state)}`,
    isOver,
  }
}

// The statuses of an order that is not cancelled or expired, in order.
const path = ['ORDERED', 'PAID', 'READYTOMINT', 'MINTING', 'MINTED']
const stepNames = ['Ordered', 'Paid', 'Checked', 'Being issued', 'In your wallet']

/** Renders the steps of the path. Shows none for a status outside the path, or one that a later API version adds. */
function steps({ status }: Pick<Order, 'status'>): Html {
  const reached = path.indexOf(status)
  return html`
    <ol class="steps">
      ${stepNames.map((name, index) => {
        const state = index < reached || status === 'MINTED' ? 'done' : index === reached ? 'now' : ''
        return html`<li class="${state}" ${state === 'now' && html`aria-current="step"`}>${name}</li>`
      })}
    </ol>`
}

function headlineOf(order: Order, { blockers }: OrderDetails): string {
  const { status, offering, units, paid_amount: paid, total_amount: total, currency } = order
  switch (status) {
    case 'ORDERED':
      return paid > 0
        ? `We have received ${showMoney(paid, currency)} of ${showMoney(total, currency)}.`
        : `We are waiting for your payment of ${showMoney(total, currency)}.`
    case 'PAID':
      return blockers.length > 0
        ? 'We have received your payment. Something is still missing.'
        : 'We have received your payment.'
    case 'READYTOMINT':
      return 'Everything is complete. Your tokens will be issued in a moment.'
    case 'MINTING':
      return 'Your tokens are being issued.'
    case 'MINTED':
      return `Done: ${showTokens(units, offering)} are in your wallet.`
    case 'NOPAYMENT':
      return 'Your payment did not arrive before the deadline. We will refund any payment that arrives now.'
    case 'CANCELLED':
      return 'This order was cancelled. We will refund what you have paid.'
    default:
      return `The status of your order is ${status}.`
  }
}

function advice(order: Order, { reference, dueAt, blockers }: OrderDetails): Content {
  if (order.status === 'PAID' && blockers.length > 0)
    return html`<h2>Still missing</h2><ul>${blockers.map((code) => html`<li>${blockerText(code)}</li>`)}</ul>`
  if (order.status === 'MINTED') return html`<p><a class="button" href="/portfolio">See your portfolio</a></p>`
  if (order.status !== 'ORDERED') return false
  const { payment_bank_account: bank, total_amount: total, paid_amount: paid, currency } = order
  return html`
    <h2>How to pay</h2>
    <dl>
      <dt>Amount</dt><dd><strong>${showMoney(total, currency)}</strong>${
        paid > 0 && html` – we have received ${showMoney(paid, currency)}, please pay the rest`
      }</dd>
      <dt>To</dt><dd>${bank.account_holder}, ${bank.bank}</dd>
      <dt>IBAN</dt><dd><code>${grouped(bank.iban)}</code></dd>
      <dt>BIC</dt><dd><code>${bank.bic}</code></dd>
      <dt>Reference</dt><dd>${
        reference ? html`<code>${grouped(reference)}</code>` : html`<span class="quiet">available in a moment …</span>`
      }</dd>
      ${dueAt && html`<dt>Due by</dt><dd><time datetime="${dueAt}">${showDay(dueAt)}</time></dd>`}
    </dl>
    <p class="hint">Please enter the reference in your transfer, so that we can match the payment to your order.</p>`
}

function blockerText(code: string): Content {
  switch (code) {
    case 'approval_missing':
      return 'We are verifying your identity. This takes a day or two; you do not need to do anything.'
    case 'wallet_missing':
      return html`You do not have a wallet for the tokens. <a href="/wallet">Register yours</a>.`
    case 'benefiting_person_missing':
      return 'Please name the beneficial owners of your company.'
    case 'acceptance_missing':
      return 'The issuer has to accept your order.'
    default:
      return 'The issuer is working on it; you do not need to do anything.'
  }
}

function grouped(text: string): string {
  return text.replaceAll(/(.{4})(?=.)/g, '$1 ')
}

export function showDay(moment: string): string {
  return new Date(moment).toLocaleDateString('en', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
}
