import { fromUnits, type Offering, type OfferingSummary, toUnits } from '@investor-token/sdk'

type Priced = Pick<Offering, 'decimals' | 'price_per_token' | 'currency'>

/**
 * What so many units will cost, rounded half up to the currency's coins as the service does. All in bigint: a number
 * cannot carry eighteen decimal places. What counts is the total of the order; this is shown before there is one.
 */
export function priceOf(units: bigint, { decimals, price_per_token, currency }: Priced): string {
  const priceDecimals = price_per_token.split('.')[1]?.length ?? 0
  const coinDecimals = coinDecimalsOf(currency)
  const scale = 10n ** BigInt(decimals + priceDecimals)
  const product = units * toUnits(price_per_token, priceDecimals) * 10n ** BigInt(coinDecimals)
  return fromUnits((2n * product + scale) / (2n * scale), coinDecimals)
}

export function showMoney(amount: string | number, currency: string): string {
  // A decimal string is formatted exactly, which a number above 2^53 coins would not be.
  return new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount as `${number}`)
}

export function showTokens(units: bigint, { decimals, symbol }: Pick<OfferingSummary, 'decimals' | 'symbol'>): string {
  const [whole = '0', fraction] = fromUnits(units, decimals).split('.')
  const grouped = BigInt(whole).toLocaleString('en')
  return `${fraction === undefined ? grouped : `${grouped}.${fraction}`} ${symbol}`
}

function coinDecimalsOf(currency: string): number {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
}
