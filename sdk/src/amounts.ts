import { UsageError } from './errors.ts'

/**
 * An amount of tokens in the smallest unit: `toUnits('10.5', 8)` is `1050000000n`. Refuses what would have to be
 * rounded; takes text and no number, because `0.1 + 0.2` is not `0.3`.
 */
export function toUnits(amount: string, decimals: number): bigint {
  requireDecimals(decimals)
  const [, whole, fraction = ''] = (typeof amount === 'string' && /^(\d+)(?:\.(\d+))?$/.exec(amount)) || []
  if (whole === undefined) throw new UsageError('An amount is a text of digits with at most one point, such as "10.5".')
  const significant = fraction.replace(/0+$/, '')
  if (significant.length > decimals)
    throw new UsageError(`The token has ${decimals} decimal places, and the amount has ${significant.length}.`)
  return BigInt(whole + significant.padEnd(decimals, '0'))
}

/** Units as an amount of tokens, without superfluous zeros: `fromUnits(1050000000n, 8)` is `'10.5'`. */
export function fromUnits(units: bigint, decimals: number): string {
  requireDecimals(decimals)
  if (typeof units !== 'bigint' || units < 0n) throw new UsageError('Units are a bigint that is not negative.')
  const digits = units.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}

// What the service allows a token to have.
const decimalsMax = 18

function requireDecimals(decimals: number): void {
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > decimalsMax)
    throw new UsageError(`Decimals are a whole number from 0 to ${decimalsMax}: take those of the offering.`)
}
