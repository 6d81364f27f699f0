import { scaleOf } from '../api/minor-unit-digits.ts'
import { formatDecimal } from './decimal.ts'

/** The text of an amount, for sentences. */
export function moneyText(amount: string, currency: string, language: string): string {
  return `${formatDecimal(amount, language, scaleOf(currency))} ${currency}`
}
