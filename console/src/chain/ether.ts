import { decimalText, formatDecimal, trimmed } from '../parts/decimal.ts'

/** Decimal places worth showing. */
const digits = 6

/** Formats wei in the chain's coin, rounded down to a readable number of digits. */
export function etherText(wei: string, language: string): string {
  const rounded = BigInt(wei) / 10n ** BigInt(18 - digits)
  const isTiny = rounded === 0n && BigInt(wei) > 0n
  return isTiny ? '< 0.000001 ETH' : `${formatDecimal(trimmed(decimalText(rounded, digits)), language)} ETH`
}
