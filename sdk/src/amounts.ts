import { UsageError } from './errors.ts'

/**
 * Converts a token amount to its smallest units: `toUnits('10.5', 8)` is `1050000000n`. Throws if the amount would have
 * to be rounded. Takes a string and not a number, because `0.1 + 0.2` is not `0.3`.
 */
export function toUnits(amount: string, decimals: number): bigint {
  requireDecimals(decimals)
  const [, whole, fraction = ''] = (typeof amount === 'string' && /^(\d+)(?:\.(\d+))?$/.exec(amount)) || []
  if (whole === undefined)
    throw new UsageError('amount must be a string of digits with at most one decimal point, such as "10.5".')
  const significant = fraction.replace(/0+$/, '')
  if (significant.length > decimals)
    throw new UsageError(
      `amount has ${significant.length} decimal places, but the token has only ${decimals} decimal places.`,
    )
  return BigInt(whole + significant.padEnd(decimals, '0'))
}

/** Converts units to a token amount without trailing zeros: `fromUnits(1050000000n, 8)` is `'10.5'`. */
export function fromUnits(units: bigint, decimals: number): string {
  requireDecimals(decimals)
  if (typeof units !== 'bigint' || units < 0n) throw new UsageError('units must be a bigint of at least 0.')
  const digits = units.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}

// The service's limit for a token.
const decimalsMax = 18

function requireDecimals(decimals: number): void {
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > decimalsMax)
    throw new UsageError(`decimals must be an integer from 0 to ${decimalsMax}; use those of the offering.`)
}
