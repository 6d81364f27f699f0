import type { Schemas } from '../api/client.ts'
import { scaleOf } from '../api/minor-unit-digits.ts'
import { decimalText, formatDecimal, parseDecimal, trimmed } from '../parts/decimal.ts'

export type Values = Readonly<Record<string, string>>
type Withholding = NonNullable<Schemas['NewDistribution']['withholding']>
type Offering = Schemas['OperatorOffering']

export const distributionKinds = ['COUPON', 'DIVIDEND', 'REDEMPTION'] as const
export const distributionStatuses = [
  'DRAFT',
  'CALCULATING',
  'CALCULATED',
  'APPROVED',
  'PAYING',
  'CLOSED',
  'CANCELLED',
] as const

/** Converts what a person typed into a request. The API validates it. */
export function termsOf(values: Values): Schemas['NewDistribution'] {
  const text = (name: string) => (values[name] ?? '').trim()
  return {
    kind: text('kind') as Schemas['NewDistribution']['kind'],
    record_at: new Date(text('record_at')).toISOString(),
    pay_on: text('pay_on'),
    currency: text('currency').toUpperCase(),
    ...(values['basis'] === 'total' ? { total_amount: text('amount') } : { rate_per_token: text('amount') }),
    source_account: sourceOf(values),
    withholding: withholdingOf(text('withholding')),
  }
}

export function sourceOf(values: Values): Schemas['NewDistribution']['source_account'] {
  const code = (name: string) => (values[name] ?? '').replaceAll(' ', '').toUpperCase()
  return { account_holder: (values['account_holder'] ?? '').trim(), iban: code('iban'), bic: code('bic') }
}

/** Parses one country and percentage per line: `DE 26.375`. */
export function withholdingOf(text: string): Withholding {
  const lines = text.split(/[\n,;]/).map((line) => line.trim())
  return lines.filter(Boolean).map((line) => {
    const [country = '', percent = ''] = line.split(/[\s:=]+/)
    return { country: country.toUpperCase(), percent: percent.replace('%', '') }
  })
}

export function withholdingText(rates: Withholding): string {
  return rates.map(({ country, percent }) => `${country} ${percent}`).join('\n')
}

/** Returns the currency and account of an offering, the usual ones of its distributions. */
export function accountOf({ currency, collection_account: account }: Offering): Values {
  return {
    currency,
    account_holder: account?.account_holder ?? '',
    iban: account?.iban ?? '',
    bic: account?.bic ?? '',
  }
}

/** Formats a rate. A decimal such as `12.50` stays exact; a fraction such as `910/73` is approximated. */
export function rateText(rate: string, currency: string, language: string): string {
  const [numerator = '', denominator] = rate.split('/')
  if (denominator === undefined) return `${formatDecimal(numerator, language, scaleOf(currency))} ${currency}`
  const { value, scale } = parseDecimal(numerator)
  const digits = 6
  const about = (value * 10n ** BigInt(digits)) / (BigInt(denominator) * 10n ** BigInt(scale))
  return `≈ ${formatDecimal(trimmed(decimalText(about, digits)), language, scaleOf(currency))} ${currency}`
}

/** Returns the amount for all issued units at this rate, or undefined unless the rate is a decimal number. */
export function amountAtRate(rate: string, { issued_units: issued, decimals, currency }: Offering): string | undefined {
  if (!/^\d+(\.\d+)?$/.test(rate)) return undefined
  const { value, scale } = parseDecimal(rate)
  const digits = scaleOf(currency)
  // Rounded down to the minor unit, as the service does.
  const minor = (BigInt(issued) * value * 10n ** BigInt(digits)) / 10n ** BigInt(scale + decimals)
  return decimalText(minor, digits)
}
