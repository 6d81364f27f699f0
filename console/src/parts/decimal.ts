/** Exact arithmetic on decimal strings. Amounts and units never become numbers, which would round them. */

export interface Decimal {
  readonly value: bigint
  /** Digits after the point. */
  readonly scale: number
}

export function parseDecimal(text: string): Decimal {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)
  if (!match) throw new Error(`${text} is not a decimal number`)
  const [, sign = '', whole = '', fraction = ''] = match
  return { value: BigInt(`${sign}${whole}${fraction}`), scale: fraction.length }
}

function rescaled({ value, scale }: Decimal, to: number): bigint {
  return value * 10n ** BigInt(to - scale)
}

/** Returns two numbers as integers of one scale. */
export function aligned(left: string, right: string): [left: bigint, right: bigint, scale: number] {
  const [a, b] = [parseDecimal(left), parseDecimal(right)]
  const scale = Math.max(a.scale, b.scale)
  return [rescaled(a, scale), rescaled(b, scale), scale]
}

export function subtract(left: string, right: string): string {
  const [a, b, scale] = aligned(left, right)
  return decimalText(a - b, scale)
}

export function add(left: string, right: string): string {
  const [a, b, scale] = aligned(left, right)
  return decimalText(a + b, scale)
}

export function isZero(text: string): boolean {
  return parseDecimal(text).value === 0n
}

/** Formats an integer in units of 10^-scale, such as minor units, as a decimal string. */
export function decimalText(value: bigint, scale: number): string {
  const sign = value < 0n ? '-' : ''
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0')
  if (scale === 0) return sign + digits
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

/** Removes trailing zeros of the fraction, down to `scaleMin` digits. */
export function trimmed(text: string, scaleMin = 0): string {
  const [whole = '', fraction = ''] = text.split('.')
  let end = fraction.length
  while (end > scaleMin && fraction[end - 1] === '0') end -= 1
  const kept = fraction.slice(0, end).padEnd(scaleMin, '0')
  return kept ? `${whole}.${kept}` : whole
}

/** Returns the share of a whole in percent with one decimal, rounded down. */
export function percentText(part: bigint, whole: bigint): string {
  return whole === 0n ? '0.0' : decimalText((part * 1000n) / whole, 1)
}

/** Formats a decimal string exactly: Intl accepts strings and keeps all their digits. */
export function formatDecimal(text: string, language: string, scaleMin = 0): string {
  const { scale } = parseDecimal(text)
  const digits = { minimumFractionDigits: scaleMin, maximumFractionDigits: Math.max(scale, scaleMin) }
  return new Intl.NumberFormat(language, digits).format(text as unknown as number)
}
