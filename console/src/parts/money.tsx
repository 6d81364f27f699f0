import { useTranslation } from 'react-i18next'
import { scaleOf } from '../api/minor-unit-digits.ts'
import { formatDecimal } from './decimal.ts'

/** An amount with its currency. Takes the API's decimal string, never a number. */
export function Money({ amount, currency }: { amount: string; currency: string }) {
  const { i18n } = useTranslation()
  return (
    <span className="nowrap">
      {formatDecimal(amount, i18n.language, scaleOf(currency))} <span className="muted small">{currency}</span>
    </span>
  )
}
