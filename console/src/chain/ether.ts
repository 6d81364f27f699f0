import { decimalText, formatDecimal, trimmed } from '../parts/decimal.ts'

/** Digits after the point that a person can use. */
const digits = 6

/** Wei in the chain's coin, rounded down to what people can read. */
export function etherText(wei: string, language: string): string {
  const rounded = BigInt(wei) / 10n ** BigInt(18 - digits)
  const isTiny = rounded === 0n && BigInt(wei) > 0n
  return isTiny ? '< 0.000001 ETH' : `${formatDecimal(trimmed(decimalText(rounded, digits)), language)} ETH`
}
