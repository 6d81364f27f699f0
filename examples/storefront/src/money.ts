import { fromUnits, type Offering, type OfferingSummary, toUnits } from '@investor-token/sdk'

type Priced = Pick<Offering, 'decimals' | 'price_per_token' | 'currency'>

/**
 * Returns the price of an amount of units, rounded half up to the currency's minor units and at least one of them, as
 * in the service. Uses only bigint, because a number cannot represent 18 decimal places. This is a preview; the
 * `total_amount` of the order is binding.
 */
export function priceOf(units: bigint, { decimals, price_per_token, currency }: Priced): string {
  const priceDecimals = price_per_token.split('.')[1]?.length ?? 0
  const minorUnitDecimals = minorUnitDecimalsOf(currency)
  const scale = 10n ** BigInt(decimals + priceDecimals)
  const product = units * toUnits(price_per_token, priceDecimals) * 10n ** BigInt(minorUnitDecimals)
  const rounded = (2n * product + scale) / (2n * scale)
  return fromUnits(rounded === 0n && product > 0n ? 1n : rounded, minorUnitDecimals)
}

export function showMoney(amount: string | number, currency: string): string {
  // A decimal string is formatted exactly; a number above 2^53 minor units would not be.
  return new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount as `${number}`)
}

export function showTokens(units: bigint, { decimals, symbol }: Pick<OfferingSummary, 'decimals' | 'symbol'>): string {
  const [whole = '0', fraction] = fromUnits(units, decimals).split('.')
  const grouped = BigInt(whole).toLocaleString('en')
  return `${fraction === undefined ? grouped : `${grouped}.${fraction}`} ${symbol}`
}

function minorUnitDecimalsOf(currency: string): number {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
}
