import { minorUnitDigits } from '../platform/base/money.ts'
import { floorOf, multiply, type Rational, rational } from './rational.ts'

/** The amount that a distribution pays: a rate for each whole token, or a total that all units share. */
export type DistributedAmount =
  | { readonly kind: 'per token'; readonly rate: Rational; readonly decimals: number; readonly currency: string }
  | { readonly kind: 'in all'; readonly totalMinor: bigint; readonly supply: bigint }

export interface Entitlement {
  /** Amount before tax. Net and withheld add up to it. */
  readonly grossMinor: bigint
  readonly withheldMinor: bigint
  readonly netMinor: bigint
}

/**
 * Calculates the entitlement of one holder. The gross amount is rounded down to the minor unit, so that all together
 * never exceed the total. The tax is rounded down as well, in favour of the investor.
 */
export function entitlementOf(units: bigint, amount: DistributedAmount, withholding: Rational): Entitlement {
  if (withholding.numerator > withholding.denominator) throw new Error('the withholding exceeds 100 percent')
  const grossMinor = floorOf(exactMinorUnits(units, amount))
  const withheldMinor = floorOf(multiply(rational(grossMinor), withholding))
  return { grossMinor, withheldMinor, netMinor: grossMinor - withheldMinor }
}

/** Calculates the amount for all units together. The part that rounding leaves is the remainder of the distribution. */
export function totalOf(supply: bigint, amount: DistributedAmount): bigint {
  return amount.kind === 'in all' ? amount.totalMinor : floorOf(exactMinorUnits(supply, amount))
}

function exactMinorUnits(units: bigint, amount: DistributedAmount): Rational {
  if (amount.kind === 'in all') {
    if (units > amount.supply) throw new Error('a holder has more units than the token')
    return rational(amount.totalMinor * units, amount.supply)
  }
  const digits = minorUnitDigits(amount.currency)
  if (digits === undefined) throw new Error(`${amount.currency} is not a currency code of ISO 4217`)
  return multiply(amount.rate, rational(units * 10n ** BigInt(digits), 10n ** BigInt(amount.decimals)))
}
