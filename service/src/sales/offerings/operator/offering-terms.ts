import type { Static } from 'typebox'
import type { Failure } from '../../../platform/api/errors/errors.ts'
import { isIban } from '../../../platform/base/iban.ts'
import { Money, minorUnitDigits } from '../../../platform/base/money.ts'
import { TokenUnits } from '../../../platform/base/token-units.ts'
import type { NewOffering } from './operator-offering.schema.ts'

/** All members of an offering that an operator sets, with defaults filled in. */
export type OfferingTerms = Required<Static<typeof NewOffering>>

/** Defaults for the optional members of a new draft. */
export const defaultTerms = {
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
  soft_cap_units: null,
  soft_cap_amount: null,
} as const satisfies Partial<OfferingTerms>

/** Checks the rules between members; the schema has already checked each member alone. */
export function termFailures(terms: OfferingTerms): Failure[] {
  const { min_units: min, max_units: max, total_units: total, opens_at: opensAt, closes_at: closesAt } = terms
  const failures: Failure[] = []
  const reject = (member: string, rule: string) =>
    failures.push({ detail: `The member ${member} ${rule}.`, pointer: `/${member}` })
  if (min !== null && max !== null && BigInt(min) > BigInt(max)) reject('min_units', 'must be at most max_units')
  if (min !== null && BigInt(min) > BigInt(total)) reject('min_units', 'must be at most total_units')
  if (max !== null && BigInt(max) > BigInt(total)) reject('max_units', 'must be at most total_units')
  if (opensAt !== null && closesAt !== null && Date.parse(opensAt) >= Date.parse(closesAt))
    reject('closes_at', 'must be later than opens_at')
  // Amounts are JSON numbers, which are exact up to 15 digits.
  const { currency } = terms
  if (worthOf(terms) === undefined)
    reject('total_units', `must be worth at most 15 digits of ${currency} at this price_per_token`)
  const decimalPlaces = minorUnitDigits(currency) ?? 0
  if ((terms.payment_tolerance.split('.')[1] ?? '').length > decimalPlaces)
    reject('payment_tolerance', `must have at most ${decimalPlaces} decimal places, as ${currency} has`)
  failures.push(...softCapFailures(terms))
  return failures
}

/** Returns the price of all units; undefined if it has too many digits. */
function worthOf({ total_units: total, decimals, price_per_token: price, currency }: OfferingTerms): Money | undefined {
  return TokenUnits.of(total, decimals).priceAt(price, currency)
}

/** Rejects a soft cap that the offering cannot reach: no token could ever be minted. */
function softCapFailures(terms: OfferingTerms): Failure[] {
  const { soft_cap_units: units, soft_cap_amount: amount, total_units: total, currency } = terms
  const failures: Failure[] = []
  if (units !== null && BigInt(units) > BigInt(total))
    failures.push({ detail: 'The member soft_cap_units must be at most total_units.', pointer: '/soft_cap_units' })
  if (amount === null) return failures
  const cap = Money.parse(amount, currency)
  if (!cap.isWhole || cap.isZero || cap.exceeds(worthOf(terms) ?? Money.zero(currency)))
    failures.push({
      detail:
        `The member soft_cap_amount must be more than 0, in whole minor units of ${currency}, and at most what ` +
        'total_units cost.',
      pointer: '/soft_cap_amount',
    })
  return failures
}

/**
 * Checks the IBAN: the account is the operator's own, so a wrong check digit is a typo, and money that buyers send
 * there is lost or returned. People check the accounts of investors instead (Q007).
 */
export function collectionAccountFailures(account: OfferingTerms['collection_account'] | undefined): Failure[] {
  if (!account || isIban(account.iban)) return []
  const rule = 'must be an IBAN with the length of its country and the right check digits'
  return [{ detail: `The member collection_account.iban ${rule}.`, pointer: '/collection_account/iban' }]
}

/** Returns why a draft cannot be opened; undefined if it can. */
export function openingBlocker({
  collection_account: account,
  currency,
}: Pick<OfferingTerms, 'collection_account' | 'currency'>): string | undefined {
  if (account === null) return 'collection_account is missing: buyers need a bank account to pay to.'
  const [failure] = collectionAccountFailures(account)
  if (failure) return failure.detail
  if (account.currency !== currency)
    return `collection_account.currency is ${account.currency}; it must be ${currency}, the currency of the offering.`
  return undefined
}
