import type { Static } from 'typebox'
import type { Failure } from '../../../platform/api/errors/errors.ts'
import { minorUnitDigits, priceOfUnits } from '../../../platform/base/money.ts'
import type { NewOffering } from './operator-offering.schema.ts'

/** Everything about an offering that an operator says, with nothing left out. */
export type OfferingTerms = Required<Static<typeof NewOffering>>

/** What a new draft is where its operator says nothing. */
export const standardTerms = {
  min_units: null,
  max_units: null,
  opens_at: null,
  closes_at: null,
  payment_term_days: 14,
  payment_tolerance: '0',
  collection_account: null,
  names: {},
  logo: '',
  approval_required: false,
  acceptance_required: false,
} as const satisfies Partial<OfferingTerms>

/** What the members of an offering must be to each other, each of them being right for itself. */
export function contradictionsOf(terms: OfferingTerms): Failure[] {
  const { min_units: min, max_units: max, total_units: total, opens_at: opensAt, closes_at: closesAt } = terms
  const failures: Failure[] = []
  const refuse = (member: string, what: string) =>
    failures.push({ detail: `The member ${member} ${what}.`, pointer: `/${member}` })
  if (min !== null && max !== null && BigInt(min) > BigInt(max)) refuse('min_units', 'must be at most max_units')
  if (min !== null && BigInt(min) > BigInt(total)) refuse('min_units', 'must be at most total_units')
  if (max !== null && BigInt(max) > BigInt(total)) refuse('max_units', 'must be at most total_units')
  if (opensAt !== null && closesAt !== null && Date.parse(opensAt) >= Date.parse(closesAt))
    refuse('closes_at', 'must be later than opens_at')
  // What is sold has to be counted in money, and a JSON number carries no more digits.
  const { price_per_token: pricePerToken, decimals, currency } = terms
  if (priceOfUnits(BigInt(total), { pricePerToken, decimals, currency }) === undefined)
    refuse('total_units', `is worth more than 15 digits of ${currency} at this price`)
  const coins = minorUnitDigits(currency) ?? 0
  if ((terms.payment_tolerance.split('.')[1] ?? '').length > coins)
    refuse('payment_tolerance', `may have ${coins} decimal places at most, as ${currency} has`)
  return failures
}

/** What a draft lacks to be sold; undefined where it lacks nothing. */
export function lackOf({
  collection_account: account,
  currency,
}: Pick<OfferingTerms, 'collection_account' | 'currency'>): string | undefined {
  if (account === null) return 'It has no collection_account: buyers would not know where to pay to.'
  if (account.currency !== currency)
    return `Its collection_account is in ${account.currency}, and the offering is sold in ${currency}.`
  return undefined
}
