import * as currencies from 'dinero.js/currencies'

export function isCurrency(code: string): boolean {
  return minorUnitDigits(code) !== undefined
}

/** Decimal places of the smallest coin of a currency, or undefined where ISO 4217 has no such currency. */
export function minorUnitDigits(currency: string): number | undefined {
  return (currencies as Record<string, { exponent: number }>)[currency]?.exponent
}

/** A JSON number carries this many decimal digits without changing any. */
const significantDigitsMax = 15

/**
 * What so many units cost, as an exact decimal in the currency's minor units, rounded half up; undefined where the
 * amount has more digits than a JSON number can carry. All in bigint: 1.005 * 100 is not 100.5 in floating point.
 */
export function priceOfUnits(
  units: bigint,
  { pricePerToken, decimals, currency }: { pricePerToken: string; decimals: number; currency: string },
): string | undefined {
  const digits = minorUnitDigits(currency)
  if (digits === undefined) throw new Error(`${currency} is no currency`)
  const [whole = '', fraction = ''] = pricePerToken.split('.')
  const numerator = units * BigInt(whole + fraction) * 10n ** BigInt(digits)
  const denominator = 10n ** BigInt(decimals + fraction.length)
  const minorUnits = (2n * numerator + denominator) / (2n * denominator)
  return String(minorUnits).length > significantDigitsMax ? undefined : decimalOf(minorUnits, digits)
}

function decimalOf(minorUnits: bigint, digits: number): string {
  const text = String(minorUnits).padStart(digits + 1, '0')
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/** An exact decimal as a number of the currency's smallest coins; undefined where it has a finer part. */
export function toMinorUnits(amount: string, currency: string): bigint | undefined {
  const digits = minorUnitDigits(currency) ?? 0
  const [whole = '', fraction = ''] = amount.split('.')
  const [coins, rest] = [fraction.slice(0, digits).padEnd(digits, '0'), fraction.slice(digits)]
  return /^0*$/.test(rest) ? BigInt(whole + coins) : undefined
}

export function fromMinorUnits(minorUnits: bigint, currency: string): string {
  return decimalOf(minorUnits, minorUnitDigits(currency) ?? 0)
}
