import * as currencies from 'dinero.js/currencies'

export function isCurrency(code: string): boolean {
  return minorUnitDigits(code) !== undefined
}

/** Returns the decimal places of a currency's minor unit, or undefined if ISO 4217 does not list the currency. */
export function minorUnitDigits(currency: string): number | undefined {
  return (currencies as Record<string, { exponent: number }>)[currency]?.exponent
}

/** Returns the minor unit digits of every currency of ISO 4217. Formatting libraries use other numbers for some. */
export function minorUnitDigitsOfAll(): Record<string, number> {
  return Object.fromEntries(Object.entries(currencies).map(([code, { exponent }]) => [code, exponent]))
}

/** A JSON number (a double) can represent every decimal number with up to this many digits exactly. */
const significantDigitsMax = 15

/**
 * Returns the price of a number of units as an exact decimal, rounded half up to the currency's minor unit, or
 * undefined if it has more digits than a JSON number can represent. At least one minor unit unless the price is 0:
 * otherwise units whose price rounds to nothing would be minted without a payment. Uses bigint, because in floating
 * point 1.005 * 100 is not 100.5.
 */
export function priceOfUnits(
  units: bigint,
  { pricePerToken, decimals, currency }: { pricePerToken: string; decimals: number; currency: string },
): string | undefined {
  const digits = minorUnitDigits(currency)
  if (digits === undefined) throw new Error(`${currency} is not a currency code of ISO 4217`)
  const [whole = '', fraction = ''] = pricePerToken.split('.')
  const numerator = units * BigInt(whole + fraction) * 10n ** BigInt(digits)
  const denominator = 10n ** BigInt(decimals + fraction.length)
  const rounded = (2n * numerator + denominator) / (2n * denominator)
  const minorUnits = rounded === 0n && numerator > 0n ? 1n : rounded
  return String(minorUnits).length > significantDigitsMax ? undefined : decimalOf(minorUnits, digits)
}

/** Formats a number of smallest parts, such as cents or token units, as a decimal. 10^digits parts are one whole. */
export function decimalOf(parts: bigint, digits: number): string {
  const text = String(parts).padStart(digits + 1, '0')
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/** Converts an exact decimal to minor units. Returns undefined if it has more decimal places than the currency. */
export function toMinorUnits(amount: string, currency: string): bigint | undefined {
  const digits = minorUnitDigits(currency) ?? 0
  const [whole = '', fraction = ''] = amount.split('.')
  const minorDigits = fraction.slice(0, digits).padEnd(digits, '0')
  const excessDigits = fraction.slice(digits)
  return /^0*$/.test(excessDigits) ? BigInt(whole + minorDigits) : undefined
}

export function fromMinorUnits(minorUnits: bigint, currency: string): string {
  return decimalOf(minorUnits, minorUnitDigits(currency) ?? 0)
}

/** Like toMinorUnits, for an amount that was validated before it was stored. Throws if it does not fit the currency. */
export function minorUnitsOf(amount: string, currency: string): bigint {
  const minorUnits = toMinorUnits(amount, currency)
  if (minorUnits === undefined) throw new Error(`a stored amount is not a whole number of minor units of ${currency}`)
  return minorUnits
}
