import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Static } from 'typebox'
import { company, individual } from '../../../test/harness/data/bodies.ts'
import { pluck } from '../../../test/harness/pluck.ts'
import type { Account } from './account.schema.ts'
import { findingsOf } from './data-quality.ts'

type AccountView = Static<typeof Account>

const approvals = { kyc: { status: 'NEW' }, kyb: { status: 'NEW' } } as const
const personAccount = { id: crypto.randomUUID(), ...individual, ...approvals } as unknown as AccountView
const companyAccount = {
  id: crypto.randomUUID(),
  ...company,
  ...approvals,
  communication: { email: 'office@example.com', email_confirmed: true },
} as unknown as AccountView

describe('findings of an account', () => {
  const codes = (account: AccountView, personCountries = ['DE']) => pluck(findingsOf(account, personCountries), 'code')
  const withBank = (change: Partial<AccountView['bank_account']>) =>
    codes({ ...personAccount, bank_account: { ...personAccount.bank_account, ...change } })
  const withPhone = (phone: string, country = 'DE') =>
    codes({ ...personAccount, individual: { ...(personAccount.individual as object), phone, country } } as AccountView)

  test('reports nothing for a valid account', () => {
    assert.deepEqual([codes(personAccount, []), codes(companyAccount)], [[], []])
  })

  test('reports an IBAN with a wrong checksum, a wrong length, an unknown country or a wrong format', () => {
    for (const iban of ['DE88370400440532013000', 'DE8937040044053201300', 'DE00 0000 0000 0', 'DE!!!!!!!!!!!!!!!'])
      assert.deepEqual(withBank({ iban }), ['iban_invalid'], iban)
    assert.deepEqual(withBank({ iban: 'ZZ89370400440532013000' }), ['iban_invalid', 'iban_of_another_country'])
  })

  test('accepts an IBAN in groups of four, in lower case or with hyphens', () => {
    for (const iban of ['DE89 3704 0044 0532 0130 00', 'de89370400440532013000', 'DE89-3704-0044-0532-0130-00'])
      assert.deepEqual(withBank({ iban }), [], iban)
  })

  test('reports a valid IBAN of a country other than that of the bank', () => {
    assert.deepEqual(withBank({ iban: 'FR7630006000011234567890189' }), ['iban_of_another_country'])
    assert.deepEqual(withBank({ iban: 'FR7630006000011234567890189', country: 'FR' }), [])
    assert.deepEqual(withBank({ iban: 'XK051212012345678906', country: 'XK' }), [])
  })

  test('reports a BIC that does not have 8 or 11 characters or has an unknown country', () => {
    for (const bic of ['COBADEFF', 'COBADEFFXXX', 'cobadeff']) assert.deepEqual(withBank({ bic }), [], bic)
    for (const bic of ['COBADEFFX', '12345678', 'COBAZZFF', 'COBA DEFF']) {
      assert.deepEqual(withBank({ bic }), ['bic_invalid'], bic)
    }
  })

  test('reports a phone number that is not valid for its country code or the country of residence', () => {
    for (const phone of ['+4930123456', '030 123456', '0049 30 123456', '+1 202 456 1111'])
      assert.deepEqual(withPhone(phone), [], phone)
    for (const phone of ['12345', '+4930', 'abcde', '\u{1f600}\u{1f600}\u{1f600}\u{1f600}\u{1f600}', '+999123456789'])
      assert.deepEqual(withPhone(phone), ['phone_invalid'], phone)
    // Antarctica has no phone numbers.
    assert.deepEqual([withPhone('+4930123456', 'AQ'), withPhone('030123456', 'AQ')], [[], ['phone_invalid']])
  })

  test('R010, Q008: reports each country code that ISO 3166-1 has not assigned; XK is Kosovo', () => {
    const found = (account: AccountView, personCountries: string[]) =>
      findingsOf(account, personCountries)
        .filter(({ code }) => code === 'country_unassigned')
        .map(({ field, message }) => `${field}: ${message}`)
    const person = { ...(personAccount.individual as object), citizenship: 'ZZ', country: 'AA' }
    const bankAccount = { ...personAccount.bank_account, country: 'EU' }
    assert.deepEqual(found({ ...personAccount, individual: person, bank_account: bankAccount } as AccountView, []), [
      'bank_account.country: The code EU is not assigned to a country in ISO 3166-1.',
      'individual.citizenship: The code ZZ is not assigned to a country in ISO 3166-1.',
      'individual.country: The code AA is not assigned to a country in ISO 3166-1.',
    ])
    const office = { ...(companyAccount.company as object), country: 'UK' }
    assert.deepEqual(found({ ...companyAccount, company: office } as AccountView, ['AX', 'XK', 'XX', 'YY']), [
      'company.country: The code UK is not assigned to a country in ISO 3166-1.',
      'benefiting_persons.country: The code XX is not assigned to a country in ISO 3166-1.',
      'benefiting_persons.country: The code YY is not assigned to a country in ISO 3166-1.',
    ])
  })

  test('reports an unconfirmed e-mail address, and a company without a benefiting person', () => {
    const communication = { email: 'ada@example.com', email_confirmed: false }
    assert.deepEqual(codes({ ...personAccount, communication }), ['email_not_confirmed'])
    assert.deepEqual(codes(companyAccount, []), ['benefiting_person_missing'])
  })

  test('reports all findings at once, each with its field and a sentence', () => {
    const found = findingsOf(
      {
        ...companyAccount,
        company: { ...(companyAccount.company as NonNullable<AccountView['company']>), phone: '12345' },
        communication: { email: 'a@example.com', email_confirmed: false },
        bank_account: { ...companyAccount.bank_account, iban: 'FR00 0000 0000 00', bic: 'x'.repeat(9) },
      },
      [],
    )
    assert.deepEqual(
      found.map(({ code, field }) => [code, field]),
      [
        ['iban_invalid', 'bank_account.iban'],
        ['iban_of_another_country', 'bank_account.iban'],
        ['bic_invalid', 'bank_account.bic'],
        ['phone_invalid', 'company.phone'],
        ['email_not_confirmed', 'communication.email_confirmed'],
        ['benefiting_person_missing', 'company'],
      ],
    )
    for (const { message } of found) assert.match(message, /^[A-Z].*\.$/)
  })
})
