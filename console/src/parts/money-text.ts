import { scaleOf } from '../api/minor-unit-digits.ts'
import { formatDecimal } from './decimal.ts'

/** Formats an amount for use in a sentence. */
export function moneyText(amount: string, currency: string, language: string): string {
  return `${formatDecimal(amount, language, scaleOf(currency))} ${currency}`
}
