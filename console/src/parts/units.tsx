import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import { decimalText, formatDecimal, trimmed } from './decimal.ts'

/** Units of a token. The API counts the smallest unit, 10^-decimals. */
export function Units({ units, decimals, symbol }: { units: string; decimals: number; symbol?: string }) {
  const { i18n } = useTranslation()
  return (
    <span className="nowrap">
      {unitsText(units, decimals, i18n.language)}
      {symbol && <span className="muted small"> {symbol}</span>}
    </span>
  )
}

export function unitsText(units: string, decimals: number, language = i18next.language): string {
  return formatDecimal(trimmed(decimalText(BigInt(units), decimals)), language)
}
