/** Valid request bodies. Tests change single members. */
export const individual = {
  type: 'INDIVIDUAL',
  individual: {
    firstName: 'Ada',
    lastName: 'Lovelace',
    birth_date: '1985-12-10',
    birth_place: 'Berlin',
    citizenship: 'DE',
    street: 'Hauptstr. 1',
    city: 'Berlin',
    zip: '10115',
    state: 'Berlin',
    country: 'DE',
    phone: '+4930123456',
  },
  kyc: {},
  communication: { email: 'ada@example.com', email_confirmed: true },
  bank_account: {
    account_holder: 'Ada Lovelace',
    bank: 'Testbank',
    bic: 'COBADEFFXXX',
    country: 'DE',
    currency: 'EUR',
    iban: 'DE89370400440532013000',
  },
  is_beneficiary: true,
}

export const company = {
  type: 'COMPANY',
  company: {
    name: 'Analytical GmbH',
    registration_number: 'HRB 12345',
    legal_form: 'GmbH',
    vat_id: 'DE123456789',
    incorporation_date: '2001-12-31',
    street: 'Hauptstr. 1',
    city: 'Berlin',
    zip: '10115',
    state: 'Berlin',
    country: 'DE',
    phone: '+4930123456',
  },
  kyb: {},
  communication: { email: 'office@example.com', email_confirmed: false },
  bank_account: { ...individual.bank_account, account_holder: 'Analytical GmbH', bic: 'COBADEFF' },
  is_beneficiary: false,
}

export const taxInformation = {
  non_assessment_certificate: false,
  tax_identification_number: '12345678901',
  is_subject_to_german_tax: true,
}

export const benefitingPerson = {
  firstname: 'Grace',
  lastname: 'Hopper',
  street: 'Hauptstr. 2',
  zip: '10115',
  state: 'Berlin',
  city: 'Berlin',
  country: 'DE',
}

export const newOffering = {
  name: 'Harbour Bond',
  symbol: 'HARB',
  blockchain: 'ethereum',
  tokenization_platform: 'permissioned-token',
  decimals: 8,
  type: 'DEBT_TOKENIZED',
  price_per_token: '12.50',
  currency: 'EUR',
  total_units: '100000000000000',
  collection_account: {
    account_holder: 'Harbour Issuer GmbH',
    bank: 'Testbank',
    bic: 'COBADEFFXXX',
    iban: 'DE89370400440532013000',
    currency: 'EUR',
  },
}
