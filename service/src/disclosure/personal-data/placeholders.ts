import type { Static } from 'typebox'
import type { Payer } from '../../money/payments/unassigned-payment.view.ts'
import type { EntryDetails } from '../../money/statements/statement-parts.ts'
import type { Account } from '../../sales/accounts/account.schema.ts'
import type { AccountType } from '../../sales/accounts/account.sql.ts'

// Placeholders for erased personal data. They fit the API's schemas, so that an erased account can be read.

type View = Static<typeof Account>

const text = 'erased'
const address = { street: text, city: text, zip: text, state: text, country: 'ZZ', phone: '00000' }

const profiles: { INDIVIDUAL: View['individual']; COMPANY: View['company'] } = {
  INDIVIDUAL: {
    firstName: text,
    lastName: text,
    birth_date: '1900-01-01',
    birth_place: text,
    citizenship: 'ZZ',
    gender: '',
    ...address,
  },
  COMPANY: {
    name: text,
    registration_number: text,
    legal_form: text,
    vat_id: text,
    incorporation_date: '1900-01-01',
    ...address,
  },
}

export const erasedEmail = 'erased@example.invalid'

export function erasedProfile(type: AccountType): object {
  return profiles[type] ?? {}
}

export const erasedBankAccount: View['bank_account'] = {
  account_holder: text,
  bank: text,
  bic: 'XXXXXXXX',
  country: 'ZZ',
  currency: 'XXX',
  iban: 'ZZ0000000000000',
}

export const erasedPayer: Payer = { name: null, iban: null, text: null }

export const erasedEntryDetails: EntryDetails = {
  endToEndId: null,
  creditorReference: null,
  text: null,
  payerName: null,
  payerIban: null,
  isReturn: false,
  returnCode: null,
  returnText: null,
}

export const erasedCreditor = { name: text, iban: 'ZZ0000000000000', bic: undefined }

/** Request of an erased proposal. Confirming it is rejected, because it no longer fits the schema of its operation. */
export const erasedRequest = { params: {}, query: {}, body: null }
