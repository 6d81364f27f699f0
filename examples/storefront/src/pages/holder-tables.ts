import type { Entitlement, OfferingSummary, TransferRequestSummary } from '@investor-token/sdk'
import type { Announcement } from '../announcements.ts'
import { type Content, type Html, html } from '../html.ts'
import { showMoney, showTokens } from '../money.ts'
import { showDay } from '../progress.ts'
import { badge, showMoment, tableOf } from '../table.ts'

type Known = ReadonlyMap<string, Pick<OfferingSummary, 'name' | 'symbol' | 'decimals'>>

// Later versions of the API may add values, so each label has a fallback.
const kinds: Readonly<Record<string, string>> = { COUPON: 'Coupon', DIVIDEND: 'Dividend', REDEMPTION: 'Redemption' }

const paymentLabels: Readonly<Record<string, string>> = {
  due: 'Due',
  sent: 'On its way',
  paid: 'Paid',
  returned: 'Failed',
  nothing: 'Rounds down to zero',
}

/** Payments of coupons, dividends and redemptions to the visitor. */
export function paymentsTable({
  announced,
  entitlements,
  known,
}: {
  announced: readonly Announcement[]
  entitlements: readonly Entitlement[]
  known: Known
}): Html {
  const nameOf = (kind: string, offeringId: string) => html`
    ${kinds[kind] ?? kind}<br><span class="quiet">${known.get(offeringId)?.name}</span>`
  const rows: Content[][] = [
    ...announced.map((one) => [
      nameOf(one.kind, one.offeringId),
      rateOf(one),
      showDay(one.payOn),
      badge('announced', 'Announced'),
    ]),
    ...entitlements.map((one) => [nameOf(one.kind, one.offering_id), amountOf(one), dayOf(one), statusOf(one)]),
  ]
  return tableOf(['Payment', 'Amount', 'Date', 'Status'], rows)
}

function rateOf({ ratePerToken, currency }: Announcement): Content {
  if (ratePerToken === null) return html`<span class="quiet">to be calculated</span>`
  // An exact rate may be a fraction, such as 2/3.
  const rate = ratePerToken.includes('/') ? `${ratePerToken} ${currency}` : showMoney(ratePerToken, currency)
  return html`${rate} <span class="quiet">per token</span>`
}

function amountOf({ net_amount, withheld_amount, currency }: Entitlement): Content {
  const withheld = /[1-9]/.test(withheld_amount)
  return html`${showMoney(net_amount, currency)}${
    withheld && html`<br><span class="quiet">after ${showMoney(withheld_amount, currency)} tax</span>`
  }`
}

/** Returns the day it was paid or, before that, the day the bank should pay it. */
function dayOf({ status, changed_at, pay_on }: Entitlement): string {
  return showDay(status === 'paid' || status === 'returned' ? changed_at : pay_on)
}

function statusOf({ status, failure }: Entitlement): Content {
  const label = paymentLabels[status] ?? status
  if (status !== 'returned') return badge(status, label)
  return html`${badge(status, label)}
    <br><span class="quiet wrap">Your bank returned it${failure !== null && ` (${failure})`}. Is your account still open?</span>`
}

const reasons: Readonly<Record<string, string>> = {
  sale: 'Sale',
  gift: 'Gift',
  inheritance: 'Inheritance',
  change_of_wallet: 'Change of wallet',
  lost_keys: 'Lost keys',
}

/** Requests to move the visitor's units, and units to the visitor. */
export function transfersTable(
  transfers: readonly TransferRequestSummary[],
  { account, known }: { account: { id: string }; known: Known },
): Html {
  return tableOf(
    ['Requested', 'Tokens', 'Direction', 'Reason', 'Status'],
    transfers.map((one) => {
      const offering = known.get(one.offering_id)
      return [
        html`<time datetime="${one.created_at}">${showMoment(one.created_at)}</time>`,
        offering ? showTokens(one.units, offering) : String(one.units),
        directionOf(one, account.id),
        reasons[one.reason] ?? one.reason,
        html`${badge(one.status)}${one.rejection !== null && html`<br><span class="quiet">${one.rejection}</span>`}`,
      ]
    }),
  )
}

function directionOf({ sender_account_id: sender, receiver_account_id: receiver }: TransferRequestSummary, id: string) {
  if (sender === receiver) return 'Between your wallets'
  return sender === id ? 'From you' : 'To you'
}
