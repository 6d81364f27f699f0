/** An exact fraction; the denominator is positive. */
export interface Rational {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** Reduces a fraction to lowest terms, so that equal values have equal members and a stored text stays short. */
export function rational(numerator: bigint, denominator = 1n): Rational {
  if (denominator <= 0n) throw new Error('a denominator must be positive')
  const divisor = greatestCommonDivisor(numerator < 0n ? -numerator : numerator, denominator)
  return { numerator: numerator / divisor, denominator: denominator / divisor }
}

export function multiply(a: Rational, b: Rational): Rational {
  return rational(a.numerator * b.numerator, a.denominator * b.denominator)
}

export function add(a: Rational, b: Rational): Rational {
  return rational(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator)
}

/** Returns the floor of a non-negative fraction. */
export function floorOf({ numerator, denominator }: Rational): bigint {
  if (numerator < 0n) throw new Error('amounts are not negative')
  return numerator / denominator
}

/** Digits with an optional fraction, and an optional divisor: `12.50`, `910/73`. */
export const rationalPattern = '^[0-9]{1,30}(\\.[0-9]{1,18})?(/[1-9][0-9]{0,29})?$'

/** Reads `12.50` or `910/73`. The text was validated against the pattern before. */
export function parseRational(text: string): Rational {
  if (!new RegExp(rationalPattern).test(text)) throw new Error('a stored rate is neither a decimal nor a fraction')
  const [decimal = '', divisor = '1'] = text.split('/')
  const [whole = '', fraction = ''] = decimal.split('.')
  return rational(BigInt(whole + fraction), 10n ** BigInt(fraction.length) * BigInt(divisor))
}

/** Formats a fraction as parseRational reads it: a whole number, or a fraction in lowest terms. */
export function textOf({ numerator, denominator }: Rational): string {
  return denominator === 1n ? String(numerator) : `${numerator}/${denominator}`
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [larger, smaller] = [a, b]
  while (smaller > 0n) [larger, smaller] = [smaller, larger % smaller]
  return larger === 0n ? 1n : larger
}
