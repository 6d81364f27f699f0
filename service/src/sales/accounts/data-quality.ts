import { electronicFormatIBAN, isValidBIC, isValidIBAN } from 'ibantools'
import { isSupportedCountry, isValidPhoneNumber } from 'libphonenumber-js/max'
import type { Static } from 'typebox'
import type { Account } from './account.schema.ts'

export const findingCodes = [
  'iban_invalid',
  'iban_of_another_country',
  'bic_invalid',
  'phone_invalid',
  'email_not_confirmed',
  'benefiting_person_missing',
] as const

export interface Finding {
  readonly code: (typeof findingCodes)[number]
  /** The member of the account that it is about. */
  readonly field: string
  readonly message: string
}

/**
 * What somebody should look at before deciding about an account. It informs and never refuses: integrators may send
 * what banks and telephones would not take, as long as it keeps to the stated length (Q007, Q009).
 */
export function findingsOf(account: Static<typeof Account>, benefitingPersonCount: number): Finding[] {
  return [
    ...findingsOfBank(account.bank_account),
    ...findingsOfPhone(account),
    ...(account.communication.email_confirmed
      ? []
      : [finding('email_not_confirmed', 'communication.email_confirmed', 'The e-mail address is not confirmed.')]),
    ...(account.type === 'COMPANY' && benefitingPersonCount === 0
      ? [finding('benefiting_person_missing', 'company', 'Nobody is named who benefits from the company in the end.')]
      : []),
  ]
}

function finding(code: Finding['code'], field: string, message: string): Finding {
  return { code, field, message }
}

function findingsOfBank({ iban, bic, country }: Static<typeof Account>['bank_account']): Finding[] {
  // People write an IBAN in groups of four and in small letters, and banks take it so.
  const plain = (electronicFormatIBAN(iban) ?? '').toUpperCase()
  return [
    ...(isValidIBAN(plain)
      ? []
      : [finding('iban_invalid', 'bank_account.iban', 'The IBAN has a wrong checksum or is not one of its country.')]),
    ...(plain.slice(0, 2) === country
      ? []
      : [finding('iban_of_another_country', 'bank_account.iban', 'The IBAN is not of the country of the bank.')]),
    ...(isValidBIC(bic.toUpperCase())
      ? []
      : [finding('bic_invalid', 'bank_account.bic', 'The BIC does not have the form of one.')]),
  ]
}

function findingsOfPhone({ individual, company }: Static<typeof Account>): Finding[] {
  const [object, holder] = company ? (['company', company] as const) : (['individual', individual] as const)
  if (!holder) return []
  // A number without a country is one of where they live, if that country has numbers at all.
  const isValid = isSupportedCountry(holder.country)
    ? isValidPhoneNumber(holder.phone, holder.country)
    : isValidPhoneNumber(holder.phone)
  return isValid ? [] : [finding('phone_invalid', `${object}.phone`, 'There can be no such phone number.')]
}
