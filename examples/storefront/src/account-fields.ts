import type { FieldGroup } from './fields.ts'
import { type Html, html } from './html.ts'

const country = 'Two letters, such as DE.'

const bankAccount: FieldGroup = {
  legend: 'Bank account',
  fields: [
    { pointer: '/bank_account/account_holder', label: 'Account holder', autocomplete: 'name' },
    { pointer: '/bank_account/bank', label: 'Bank' },
    { pointer: '/bank_account/iban', label: 'IBAN', hint: 'Refunds are sent to this account.' },
    { pointer: '/bank_account/bic', label: 'BIC' },
    { pointer: '/bank_account/country', label: 'Country of the bank', hint: country, isShort: true },
    { pointer: '/bank_account/currency', label: 'Currency', initial: 'EUR', isShort: true },
  ],
}

const addressOf = (owner: 'individual' | 'company'): FieldGroup => ({
  legend: 'Address and contact',
  fields: [
    { pointer: `/${owner}/street`, label: 'Street and number', autocomplete: 'street-address' },
    { pointer: `/${owner}/zip`, label: 'Postcode', autocomplete: 'postal-code', isShort: true },
    { pointer: `/${owner}/city`, label: 'City', autocomplete: 'address-level2' },
    { pointer: `/${owner}/state`, label: 'State or region', autocomplete: 'address-level1' },
    { pointer: `/${owner}/country`, label: 'Country', autocomplete: 'country', hint: country, isShort: true },
    { pointer: `/${owner}/phone`, label: 'Phone', type: 'tel', autocomplete: 'tel' },
    { pointer: '/communication/email', label: 'E-mail', type: 'email', autocomplete: 'email' },
  ],
})

export const individualFields: readonly FieldGroup[] = [
  {
    legend: 'About you',
    fields: [
      { pointer: '/individual/firstName', label: 'First name', autocomplete: 'given-name' },
      { pointer: '/individual/lastName', label: 'Last name', autocomplete: 'family-name' },
      { pointer: '/individual/birth_date', label: 'Date of birth', type: 'date', autocomplete: 'bday' },
      { pointer: '/individual/birth_place', label: 'Place of birth' },
      { pointer: '/individual/citizenship', label: 'Citizenship', hint: country, isShort: true },
    ],
  },
  addressOf('individual'),
  bankAccount,
  {
    legend: 'Declaration',
    fields: [
      { pointer: '/is_beneficiary', label: 'I invest on my own behalf, not for another person.', type: 'checkbox' },
    ],
  },
]

export const companyFields: readonly FieldGroup[] = [
  {
    legend: 'About the company',
    fields: [
      { pointer: '/company/name', label: 'Name of the company', autocomplete: 'organization' },
      { pointer: '/company/legal_form', label: 'Legal form', hint: 'Such as GmbH or Ltd.' },
      { pointer: '/company/registration_number', label: 'Registration number' },
      { pointer: '/company/vat_id', label: 'VAT number' },
      { pointer: '/company/incorporation_date', label: 'Date of incorporation', type: 'date' },
    ],
  },
  addressOf('company'),
  bankAccount,
]

export const personFields: readonly FieldGroup[] = [
  {
    legend: 'Beneficial owner',
    fields: [
      { pointer: '/firstname', label: 'First name' },
      { pointer: '/lastname', label: 'Last name' },
      { pointer: '/street', label: 'Street and number' },
      { pointer: '/zip', label: 'Postcode', isShort: true },
      { pointer: '/city', label: 'City' },
      { pointer: '/state', label: 'State or region' },
      { pointer: '/country', label: 'Country', hint: country, isShort: true },
    ],
  },
]

export function exampleLink(path: string): Html {
  return html`<p class="development">Development: <a href="${path}?example">fill in an example</a></p>`
}

/** Example values, to try the shop in development without typing. */
export function exampleOf(groups: readonly FieldGroup[]): URLSearchParams {
  const known = groups.flatMap(({ fields }) => fields).map(({ pointer }) => [pointer, examples[pointer] ?? ''])
  return new URLSearchParams(known as [string, string][])
}

const home = (owner: string) => ({
  [`${owner}/street`]: 'Hauptstr. 1',
  [`${owner}/zip`]: '10115',
  [`${owner}/city`]: 'Berlin',
  [`${owner}/state`]: 'Berlin',
  [`${owner}/country`]: 'DE',
  [`${owner}/phone`]: '+4930123456',
})

const examples: Record<string, string> = {
  '/individual/firstName': 'Ada',
  '/individual/lastName': 'Lovelace',
  '/individual/birth_date': '1985-12-10',
  '/individual/birth_place': 'Berlin',
  '/individual/citizenship': 'DE',
  ...home('/individual'),
  '/company/name': 'Analytical GmbH',
  '/company/legal_form': 'GmbH',
  '/company/registration_number': 'HRB 12345',
  '/company/vat_id': 'DE123456789',
  '/company/incorporation_date': '2001-12-31',
  ...home('/company'),
  ...home(''),
  '/firstname': 'Grace',
  '/lastname': 'Hopper',
  '/communication/email': 'ada@example.com',
  '/bank_account/account_holder': 'Ada Lovelace',
  '/bank_account/bank': 'Testbank',
  '/bank_account/iban': 'DE89370400440532013000',
  '/bank_account/bic': 'COBADEFFXXX',
  '/bank_account/country': 'DE',
  '/bank_account/currency': 'EUR',
  '/is_beneficiary': 'yes',
}
