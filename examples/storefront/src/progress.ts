import type { Order } from '@investor-token/sdk'
import { type Content, type Html, html } from './html.ts'
import { showMoney, showTokens } from './money.ts'
import type { OrderNews } from './order-board.ts'

/** How an order stands, for people: one sentence, the way it goes, and what is to be done. */
export interface Progress {
  readonly headline: string
  readonly details: Html
  /** Nothing will change any more. */
  readonly isOver: boolean
}

type News = Pick<OrderNews, 'reference' | 'dueAt' | 'blockers'>

export function progressOf(order: Order, news: News): Progress {
  const isOver = order.status === 'MINTED' || order.status === 'CANCELLED'
  return {
    headline: headlineOf(order, news),
    details: html`${way.includes(order.status) && steps(order)} ${advice(order, news)}`,
    isOver,
  }
}

// The statuses in the order in which they come.
const way = ['ORDERED', 'PAID', 'READYTOMINT', 'MINTING', 'MINTED']
const names = ['Ordered', 'Paid', 'Checked', 'Being issued', 'In your wallet']

/** Where the order is on its way; of states that are not on it, or that a later version adds, nothing is claimed. */
function steps({ status }: Pick<Order, 'status'>): Html {
  const reached = way.indexOf(status)
  return html`
    <ol class="steps">
      ${names.map((name, index) => {
        const state = index < reached || status === 'MINTED' ? 'done' : index === reached ? 'now' : ''
        return html`<li class="${state}" ${state === 'now' && html`aria-current="step"`}>${name}</li>`
      })}
    </ol>`
}

function headlineOf(order: Order, { blockers }: News): string {
  const { status, offering, units, paid_amount: paid, total_amount: total, currency } = order
  switch (status) {
    case 'ORDERED':
      return paid > 0
        ? `We have received ${showMoney(paid, currency)} of ${showMoney(total, currency)}.`
        : `We are waiting for your payment of ${showMoney(total, currency)}.`
    case 'PAID':
      return blockers.length > 0 ? 'Your payment is here. Something is still missing.' : 'Your payment is here.'
    case 'READYTOMINT':
      return 'Everything is here. Your tokens will be issued in a moment.'
    case 'MINTING':
      return 'Your tokens are being issued.'
    case 'MINTED':
      return `Done: ${showTokens(units, offering)} are in your wallet.`
    case 'NOPAYMENT':
      return 'Your payment did not arrive in time. What arrives now will be sent back.'
    case 'CANCELLED':
      return 'This order was cancelled. What you have paid will be sent back.'
    default:
      return `Your order is ${status}.`
  }
}

function advice(order: Order, { reference, dueAt, blockers }: News): Content {
  if (order.status === 'PAID' && blockers.length > 0)
    return html`<h2>Still missing</h2><ul>${blockers.map((code) => html`<li>${blockerText(code)}</li>`)}</ul>`
  if (order.status === 'MINTED') return html`<p><a class="button" href="/portfolio">See your portfolio</a></p>`
  if (order.status !== 'ORDERED') return false
  const { payment_bank_account: bank, total_amount: total, paid_amount: paid, currency } = order
  return html`
    <h2>How to pay</h2>
    <dl>
      <dt>Amount</dt><dd><strong>${showMoney(total, currency)}</strong>${
        paid > 0 && html` – ${showMoney(paid, currency)} have arrived, please send the rest`
      }</dd>
      <dt>To</dt><dd>${bank.account_holder}, ${bank.bank}</dd>
      <dt>IBAN</dt><dd><code>${grouped(bank.iban)}</code></dd>
      <dt>BIC</dt><dd><code>${bank.bic}</code></dd>
      <dt>Reference</dt><dd>${
        reference ? html`<code>${grouped(reference)}</code>` : html`<span class="quiet">comes in a moment …</span>`
      }</dd>
      ${dueAt && html`<dt>Until</dt><dd><time datetime="${dueAt}">${showDay(dueAt)}</time></dd>`}
    </dl>
    <p class="hint">Please write the reference on the transfer: it is how we know that the money is yours.</p>`
}

function blockerText(code: string): string {
  switch (code) {
    case 'approval_missing':
      return 'We are checking who you are. That takes a day or two; you need not do anything.'
    case 'wallet_missing':
      return 'You have no wallet that the tokens could go to. Please register one with us.'
    case 'benefiting_person_missing':
      return 'Please tell us who benefits from your company.'
    case 'acceptance_missing':
      return 'The issuer has to accept your order.'
    default:
      return 'The issuer is working on it; you need not do anything.'
  }
}

function grouped(text: string): string {
  return text.replaceAll(/(.{4})(?=.)/g, '$1 ')
}

export function showDay(moment: string): string {
  return new Date(moment).toLocaleDateString('en', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
}
