import { electronicFormatIBAN, isValidIBAN } from 'ibantools'
import type { Static } from 'typebox'
import { type Failure, validationFailed } from '../platform/api/errors/errors.ts'
import { Money } from '../platform/base/money.ts'
import type { NewDistribution, SourceAccount, Withholding } from './distribution.schema.ts'
import type { DistributionTerms } from './distribution.sql.ts'
import { parseRational } from './rational.ts'

/** Checks the terms of a distribution beyond their schema. Reports all failures at once. */
export function parseTerms(body: Static<typeof NewDistribution>): DistributionTerms {
  const { rate_per_token: rate, total_amount: total, withholding = [], source_account: source } = body
  const failures: Failure[] = [...amountFailures(body), ...accountFailures(source), ...withholdingFailures(withholding)]
  if (failures.length > 0) throw validationFailed(failures)
  return {
    kind: body.kind,
    recordAt: new Date(body.record_at),
    payOn: body.pay_on,
    currency: body.currency,
    ratePerToken: rate ?? null,
    totalAmount: total === undefined ? null : Money.parse(total, body.currency),
    sourceAccount: source,
    withholding: Object.fromEntries(withholding.map(({ country, percent }) => [country, percent])),
  }
}

function amountFailures({ rate_per_token: rate, total_amount: total, currency }: Static<typeof NewDistribution>) {
  if ((rate === undefined) === (total === undefined))
    return [{ detail: 'Give either the member rate_per_token or the member total_amount.', pointer: '/rate_per_token' }]
  if (rate !== undefined && parseRational(rate).numerator === 0n)
    return [{ detail: 'The member rate_per_token must be above 0.', pointer: '/rate_per_token' }]
  if (total === undefined) return []
  const amount = Money.parse(total, currency)
  if (!amount.isWhole)
    return [{ detail: `The member total_amount has more decimal places than ${currency}.`, pointer: '/total_amount' }]
  return amount.isZero ? [{ detail: 'The member total_amount must be above 0.', pointer: '/total_amount' }] : []
}

export function accountFailures({ iban }: Static<typeof SourceAccount>): Failure[] {
  return isValidIBAN((electronicFormatIBAN(iban) ?? '').toUpperCase())
    ? []
    : [{ detail: 'The member source_account.iban must be a valid IBAN.', pointer: '/source_account/iban' }]
}

export function withholdingFailures(withholding: Static<typeof Withholding>): Failure[] {
  const countries = withholding.map(({ country }) => country)
  const index = countries.findIndex((country, position) => countries.indexOf(country) !== position)
  return index < 0
    ? []
    : [{ detail: `The country ${countries[index]} is given twice.`, pointer: `/withholding/${index}/country` }]
}
