import * as currencies from 'dinero.js/currencies'

/**
 * An exact, immutable amount of money. A calculated amount has the decimal places of its currency. One that was read
 * keeps the places that it was written with: a bank may report five.
 */
export class Money {
  readonly currency: string
  /** 10^places parts are one unit of the currency. */
  readonly parts: bigint
  readonly places: number

  private constructor(parts: bigint, places: number, currency: string) {
    this.parts = parts
    this.places = places
    this.currency = currency
  }

  /** Reads a decimal of a valid request, a row or a bank file. */
  static parse(decimal: string, currency: string): Money {
    const [whole = '', fraction = ''] = decimal.split('.')
    return new Money(BigInt(whole + fraction), fraction.length, currency)
  }

  static ofParts(parts: bigint, places: number, currency: string): Money {
    return new Money(parts, places, currency)
  }

  static ofMinor(minor: bigint, currency: string): Money {
    return new Money(minor, minorUnitDigits(currency) ?? 0, currency)
  }

  static zero(currency: string): Money {
    return new Money(0n, 0, currency)
  }

  static smaller(one: Money, other: Money): Money {
    return (one.exceeds(other) ? other : one).normalized()
  }

  get isZero(): boolean {
    return this.parts === 0n
  }

  get isPositive(): boolean {
    return this.parts > 0n
  }

  /** True if the amount is a whole number of minor units, such as cents. */
  get isWhole(): boolean {
    return this.normalized().places === (minorUnitDigits(this.currency) ?? 0)
  }

  get minor(): bigint {
    const { parts, places } = this.normalized()
    if (places === (minorUnitDigits(this.currency) ?? 0)) return parts
    throw new Error(`an amount is not a whole number of minor units of ${this.currency}`)
  }

  plus(other: Money): Money {
    return this.#sum(other, 1n)
  }

  minus(other: Money): Money {
    return this.#sum(other, -1n)
  }

  negated(): Money {
    return new Money(-this.parts, this.places, this.currency)
  }

  exceeds(other: Money): boolean {
    return this.minus(other).isPositive
  }

  equals(other: Money): boolean {
    return this.currency === other.currency && this.minus(other).isZero
  }

  /** Returns the same amount with the places of its currency; with more only if they are not zero. */
  normalized(): Money {
    const least = minorUnitDigits(this.currency) ?? 0
    if (this.places <= least) return this.#withPlaces(least)
    let [parts, places] = [this.parts, this.places]
    for (; places > least && parts % 10n === 0n; places -= 1) parts /= 10n
    return new Money(parts, places, this.currency)
  }

  /** Returns the decimal. */
  toString(): string {
    const text = String(this.parts)
      .replace('-', '')
      .padStart(this.places + 1, '0')
    const whole = text.slice(0, text.length - this.places)
    return `${this.parts < 0n ? '-' : ''}${whole}${this.places === 0 ? '' : `.${text.slice(-this.places)}`}`
  }

  /** Returns a JSON number, which is exact for amounts of at most 15 digits. */
  toNumber(): number {
    return Number(this.toString())
  }

  toJSON(): string {
    return this.toString()
  }

  /** Called by pg for a parameter of a statement. */
  toPostgres(): string {
    return this.toString()
  }

  /** Fails comparisons with < and >, which would compare the texts. */
  valueOf(): never {
    throw new Error('an amount of money is not a number')
  }

  /** Returns how many parts the amount has if 10^places of them are one unit of the currency. */
  partsAt(places: number): bigint {
    return this.#withPlaces(places).parts
  }

  #sum(other: Money, sign: 1n | -1n): Money {
    if (other.currency !== this.currency)
      throw new Error(`an amount in ${this.currency} and one in ${other.currency} have no sum`)
    const places = Math.max(this.places, other.places, minorUnitDigits(this.currency) ?? 0)
    const parts = this.partsAt(places) + sign * other.partsAt(places)
    return new Money(parts, places, this.currency).normalized()
  }

  /** Returns the same amount with at least as many places. */
  #withPlaces(places: number): Money {
    if (places === this.places) return this
    return new Money(this.parts * 10n ** BigInt(places - this.places), places, this.currency)
  }
}

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
