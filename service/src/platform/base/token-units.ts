import { Money, minorUnitDigits } from './money.ts'

/** A JSON number (a double) can represent every decimal number with up to this many digits exactly. */
const significantDigitsMax = 15

/** An immutable number of a token's smallest units: 10^decimals of them are one token. */
export class TokenUnits {
  readonly amount: bigint
  readonly decimals: number

  private constructor(amount: bigint, decimals: number) {
    this.amount = amount
    this.decimals = decimals
  }

  static of(amount: bigint | string, decimals: number): TokenUnits {
    return new TokenUnits(BigInt(amount), decimals)
  }

  /**
   * Returns the price, rounded half up to the currency's minor unit, or undefined if it has more digits than a JSON
   * number can represent. At least one minor unit unless the price is 0: otherwise units whose price rounds to nothing
   * would be minted without a payment. Uses bigint, because in floating point 1.005 * 100 is not 100.5.
   */
  priceAt(pricePerToken: string, currency: string): Money | undefined {
    const digits = minorUnitDigits(currency)
    if (digits === undefined) throw new Error(`${currency} is not a currency code of ISO 4217`)
    const [whole = '', fraction = ''] = pricePerToken.split('.')
    const numerator = this.amount * BigInt(whole + fraction) * 10n ** BigInt(digits)
    const denominator = 10n ** BigInt(this.decimals + fraction.length)
    const rounded = (2n * numerator + denominator) / (2n * denominator)
    const minor = rounded === 0n && numerator > 0n ? 1n : rounded
    return String(minor).length > significantDigitsMax ? undefined : Money.ofMinor(minor, currency)
  }

  /** Returns the number of tokens as a decimal. */
  toTokens(): string {
    const text = String(this.amount).padStart(this.decimals + 1, '0')
    return this.decimals === 0 ? text : `${text.slice(0, -this.decimals)}.${text.slice(-this.decimals)}`
  }
}
