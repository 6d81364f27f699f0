import type { Schemas } from '../api/client.ts'
import { isCurrency } from '../api/minor-unit-digits.ts'
import { decimalText, parseDecimal, trimmed } from '../parts/decimal.ts'

/** Values that a person types: the API's members, but in whole tokens instead of the smallest unit. */
export type DraftValues = Readonly<Record<string, string>>

/** Fields of each step. They are named as in the API, so that its errors find them. */
export const draftSteps = {
  basics: ['name', 'symbol', 'type'],
  money: ['currency', 'price_per_token', 'total_units', 'min_units', 'max_units'],
  rules: ['opens_at', 'closes_at', 'payment_term_days', 'payment_tolerance', 'soft_cap_units', 'soft_cap_amount'],
  account: ['account_holder', 'bank', 'iban', 'bic'],
  token: ['blockchain', 'tokenization_platform', 'decimals'],
  review: [],
} as const satisfies Record<string, readonly string[]>

export type DraftStep = keyof typeof draftSteps
export type DraftField = (typeof draftSteps)[DraftStep][number]

const accountFields: readonly string[] = draftSteps.account
const unitFields = ['total_units', 'min_units', 'max_units', 'soft_cap_units'] as const
const optionalFields = new Set<string>([
  'min_units',
  'max_units',
  'opens_at',
  'closes_at',
  'soft_cap_units',
  'soft_cap_amount',
  ...accountFields,
])

export const emptyDraft: DraftValues = {
  type: 'DEBT_TOKENIZED',
  currency: 'EUR',
  payment_term_days: '14',
  payment_tolerance: '0',
  decimals: '0',
  tokenization_platform: 'permissioned-token',
}

export function isOptional(field: string): boolean {
  return optionalFields.has(field)
}

/** Returns the field that shows an error of the API. */
export function fieldOf(member: string): string {
  return member === 'collection_account' ? 'iban' : member
}

/** Returns the values of an existing draft. */
export function valuesOf(offering: Schemas['OperatorOffering']): DraftValues {
  const { decimals, collection_account: account } = offering
  const text = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')
  const tokens = (units: string | null) => (units === null ? '' : trimmed(decimalText(BigInt(units), decimals)))
  const local = (time: string | null) => (time === null ? '' : localTime(new Date(time)))
  const fields = Object.values(draftSteps).flat()
  return {
    ...Object.fromEntries(fields.map((name) => [name, text((offering as Record<string, unknown>)[name])])),
    ...Object.fromEntries(unitFields.map((name) => [name, tokens(offering[name])])),
    ...Object.fromEntries(accountFields.map((name) => [name, text(account?.[name as 'iban'])])),
    opens_at: local(offering.opens_at),
    closes_at: local(offering.closes_at),
    approval_required: offering.approval_required ? 'yes' : '',
    acceptance_required: offering.acceptance_required ? 'yes' : '',
  }
}

/** Formats a time for a `datetime-local` field, in the person's time zone. */
export function localTime(time: Date): string {
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** Builds the request that stores the draft. An empty field becomes null, so that a change can clear it. */
export function draftOf(values: DraftValues): Schemas['NewOffering'] {
  const text = (name: DraftField) => (values[name] ?? '').trim()
  const decimals = Number(text('decimals'))
  const units = (name: (typeof unitFields)[number]) => (text(name) ? smallestUnits(text(name), decimals) : null)
  const time = (name: 'opens_at' | 'closes_at') => (text(name) ? new Date(text(name)).toISOString() : null)
  const hasAccount = accountFields.some((name) => values[name]?.trim())
  return {
    name: text('name'),
    symbol: text('symbol'),
    type: text('type') as Schemas['NewOffering']['type'],
    blockchain: text('blockchain'),
    tokenization_platform: text('tokenization_platform'),
    decimals,
    currency: text('currency').toUpperCase(),
    price_per_token: text('price_per_token'),
    total_units: units('total_units') ?? '',
    min_units: units('min_units'),
    max_units: units('max_units'),
    soft_cap_units: units('soft_cap_units'),
    soft_cap_amount: text('soft_cap_amount') || null,
    opens_at: time('opens_at'),
    closes_at: time('closes_at'),
    payment_term_days: Number(text('payment_term_days')),
    payment_tolerance: text('payment_tolerance'),
    approval_required: values['approval_required'] === 'yes',
    acceptance_required: values['acceptance_required'] === 'yes',
    collection_account: hasAccount
      ? {
          account_holder: text('account_holder'),
          bank: text('bank'),
          iban: text('iban').replaceAll(' ', '').toUpperCase(),
          bic: text('bic').toUpperCase(),
          currency: text('currency').toUpperCase(),
        }
      : null,
  }
}

/** Converts whole tokens, which people type, into the smallest unit, which the API counts. */
export function smallestUnits(text: string, decimals: number): string {
  const { value, scale } = parseDecimal(text)
  if (scale > decimals) throw new Error(`${text} has more than ${decimals} decimals`)
  return String(value * 10n ** BigInt(decimals - scale))
}

export type DraftFault = 'required' | 'notNumber' | 'tooManyDecimals' | 'notCurrency'

/** Finds errors that would prevent building the request. The API checks everything else. */
export function faultOf(field: string, values: DraftValues): DraftFault | undefined {
  const value = (values[field] ?? '').trim()
  const isInAccount = accountFields.includes(field) && accountFields.some((name) => values[name]?.trim())
  if (value === '') return isOptional(field) && !isInAccount ? undefined : 'required'
  if (field === 'currency') return isCurrency(value.toUpperCase()) ? undefined : 'notCurrency'
  if (field === 'decimals' || field === 'payment_term_days') return /^\d{1,3}$/.test(value) ? undefined : 'notNumber'
  const isAmount = ['price_per_token', 'payment_tolerance', 'soft_cap_amount', ...unitFields].includes(field)
  if (!isAmount) return undefined
  if (!/^\d{1,78}(\.\d{1,60})?$/.test(value)) return 'notNumber'
  const decimals = Number(values['decimals'])
  const isUnits = (unitFields as readonly string[]).includes(field)
  return isUnits && parseDecimal(value).scale > decimals ? 'tooManyDecimals' : undefined
}

/** Returns the cost of all units as a decimal string with all digits. */
export function worthOf(values: DraftValues): string | undefined {
  if (faultOf('total_units', values) || faultOf('price_per_token', values)) return undefined
  const [units, price] = [parseDecimal(values['total_units'] ?? ''), parseDecimal(values['price_per_token'] ?? '')]
  return trimmed(decimalText(units.value * price.value, units.scale + price.scale))
}
