import { isValidBIC } from 'ibantools'
import { iso31661 } from 'iso-3166'
import { isSupportedCountry, isValidPhoneNumber } from 'libphonenumber-js/max'
import type { Static } from 'typebox'
import { electronicIban, isIban } from '../../platform/base/iban.ts'
import type { Account } from './account.schema.ts'

export const findingCodes = [
  'iban_invalid',
  'iban_of_another_country',
  'bic_invalid',
  'phone_invalid',
  'country_unassigned',
  'email_not_confirmed',
  'benefiting_person_missing',
] as const

export interface Finding {
  readonly code: (typeof findingCodes)[number]
  /** Path of the account's member. */
  readonly field: string
  readonly message: string
}

/**
 * Returns what an operator should review before approving an account. Findings inform and never reject: the API accepts
 * any bank and phone data of the specified length, and any two capital letters as a country (Q007, Q008, Q009).
 */
export function findingsOf(account: Static<typeof Account>, personCountries: readonly string[]): Finding[] {
  return [
    ...findingsOfBank(account.bank_account),
    ...findingsOfPhone(account),
    ...findingsOfCountries(account, personCountries),
    ...(account.communication.email_confirmed
      ? []
      : [finding('email_not_confirmed', 'communication.email_confirmed', 'The e-mail address is not confirmed.')]),
    ...(account.type === 'COMPANY' && personCountries.length === 0
      ? [finding('benefiting_person_missing', 'company', 'The company has no benefiting person.')]
      : []),
  ]
}

function finding(code: Finding['code'], field: string, message: string): Finding {
  return { code, field, message }
}

function findingsOfBank({ iban, bic, country }: Static<typeof Account>['bank_account']): Finding[] {
  return [
    ...(isIban(iban)
      ? []
      : [
          finding(
            'iban_invalid',
            'bank_account.iban',
            'The IBAN has a wrong checksum, or a wrong length for its country.',
          ),
        ]),
    ...(electronicIban(iban).slice(0, 2) === country
      ? []
      : [
          finding(
            'iban_of_another_country',
            'bank_account.iban',
            'The country of the IBAN is not the country of the bank.',
          ),
        ]),
    ...(isValidBIC(bic.toUpperCase()) ? [] : [finding('bic_invalid', 'bank_account.bic', 'The BIC is malformed.')]),
  ]
}

function findingsOfPhone({ individual, company }: Static<typeof Account>): Finding[] {
  const [object, holder] = company ? (['company', company] as const) : (['individual', individual] as const)
  if (!holder) return []
  // A number without a country code belongs to the country of residence, if that country has phone numbers.
  const isValid = isSupportedCountry(holder.country)
    ? isValidPhoneNumber(holder.phone, holder.country)
    : isValidPhoneNumber(holder.phone)
  return isValid ? [] : [finding('phone_invalid', `${object}.phone`, 'The phone number is not valid.')]
}

/** Officially assigned codes, and the code of Kosovo, which banks use. */
const countryCodes: ReadonlySet<string> = new Set([...iso31661.map(({ alpha2 }) => alpha2), 'XK'])

function findingsOfCountries(
  { bank_account, individual, company }: Static<typeof Account>,
  personCountries: readonly string[],
): Finding[] {
  const countries = [
    ['bank_account.country', bank_account.country],
    ['individual.citizenship', individual?.citizenship],
    ['individual.country', individual?.country],
    ['company.country', company?.country],
    ...personCountries.map((country) => ['benefiting_persons.country', country] as const),
  ] as const
  return countries
    .filter(([, country]) => country !== undefined && !countryCodes.has(country))
    .map(([field, country]) =>
      finding('country_unassigned', field, `The code ${country} is not assigned to a country in ISO 3166-1.`),
    )
}
