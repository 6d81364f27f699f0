import { useTranslation } from 'react-i18next'
import { decimalText, formatDecimal, scaleOf } from './decimal.ts'

/** An amount with its currency. Takes the decimal string of the API; never a number. */
export function Money({ amount, currency }: { amount: string; currency: string }) {
  const { i18n } = useTranslation()
  return (
    <span className="nowrap">
      {formatDecimal(amount, i18n.language, scaleOf(currency))} <span className="muted small">{currency}</span>
    </span>
  )
}

/** The text of an amount, for sentences. */
export function moneyText(amount: string, currency: string, language: string): string {
  return `${formatDecimal(amount, language, scaleOf(currency))} ${currency}`
}

/** An amount in minor units, such as cents. */
export function MinorMoney({ minor, currency }: { minor: string; currency: string }) {
  return <Money amount={decimalText(BigInt(minor), scaleOf(currency))} currency={currency} />
}
