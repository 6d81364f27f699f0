import { Type } from 'typebox'
import { exampleOf } from '../../platform/api/declare/example.ts'
import { CalendarDate, CountryCode, Named, Text, Uuid } from '../../platform/api/declare/fields.ts'

export const accountTypes = ['INDIVIDUAL', 'COMPANY'] as const
export const approvalStatuses = ['NEW', 'DEACTIVATED', 'PENDING', 'APPROVED', 'REJECTED'] as const

export const AccountPath = Type.Object({ accountId: Uuid('The account.') })

const Communication = Named('Communication', {
  email: Type.String({ format: 'email', maxLength: 254, examples: ['ada@example.com'] }),
  email_confirmed: Type.Boolean({ description: 'Whether you have confirmed the address.' }),
})

const BankAccount = Named('BankAccount', {
  account_holder: Text(1, 100, { examples: ['Ada Lovelace'] }),
  bank: Text(1, 100, { examples: ['Testbank'] }),
  bic: Text(8, 11, { examples: ['COBADEFFXXX'] }),
  country: CountryCode('Country of the bank.'),
  currency: Text(3, 3, { examples: ['EUR'] }),
  iban: Text(15, 34, { examples: ['DE89370400440532013000'] }),
})

const TaxInformation = Named('TaxInformation', {
  non_assessment_certificate: Type.Boolean(),
  tax_identification_number: Text(1, 50, { examples: ['12345678901'] }),
  is_subject_to_german_tax: Type.Boolean(),
})

const address = {
  street: Text(1, 200, { examples: ['Hauptstr. 1'] }),
  city: Text(1, 100, { examples: ['Berlin'] }),
  zip: Text(1, 20, { examples: ['10115'] }),
  state: Text(1, 100, {
    examples: ['Berlin'],
    description: 'If the country has no states, send the region or any text.',
  }),
  country: CountryCode('Country of the address.'),
  phone: Text(5, 20, { examples: ['+4930123456'] }),
}

const Gender = Type.Enum(['', 'F', 'M', 'D'] as const, { default: '', description: 'Empty if not stated.' })

const individualMembers = {
  firstName: Text(1, 100, { examples: ['Ada'] }),
  lastName: Text(1, 100, { examples: ['Lovelace'] }),
  birth_date: CalendarDate('Date of birth.'),
  birth_place: Text(1, 100, { examples: ['Berlin'] }),
  citizenship: CountryCode('Citizenship.'),
}

const Individual = Named('Individual', { ...individualMembers, gender: Gender, ...address })
const NewIndividual = Named('NewIndividual', { ...individualMembers, gender: Type.Optional(Gender), ...address })

const Company = Named('Company', {
  name: Text(1, 200, { examples: ['Analytical GmbH'] }),
  registration_number: Text(1, 50, { examples: ['HRB 12345'] }),
  legal_form: Text(1, 50, { examples: ['GmbH'] }),
  vat_id: Text(1, 50, { examples: ['DE123456789'], description: 'If the company has none, send any text.' }),
  incorporation_date: CalendarDate('Date of incorporation.'),
  ...address,
})

const Approval = Named('Approval', { status: Type.Enum(approvalStatuses) })
/** An approval in a request. Separate from Approval, so that the SDK accepts new values in responses only. */
const ApprovalChange = Named('ApprovalChange', { status: Type.Enum(approvalStatuses) })
const NewApproval = Named('NewApproval', { status: Type.Optional(Type.Enum(approvalStatuses, { default: 'NEW' })) })

const accountMembers = {
  id: Uuid('The account.'),
  type: Type.Enum(accountTypes),
  communication: Communication,
  bank_account: BankAccount,
  is_beneficiary: Type.Boolean(),
  tax_information: Type.Optional(TaxInformation),
  individual: Type.Optional(Individual),
  company: Type.Optional(Company),
  kyc: Approval,
  kyb: Approval,
}

// Leaves out one of the optional objects: an account has the object of its type only.
const { company: _, ...accountExample } = exampleOf(Type.Object(accountMembers))

export const Account = Named('Account', accountMembers, { examples: [accountExample] })

const newAccountMembers = {
  communication: Communication,
  bank_account: BankAccount,
  is_beneficiary: Type.Boolean({ description: 'Stored and returned; has no effect.' }),
  tax_information: Type.Optional(TaxInformation),
  kyc: Type.Optional(NewApproval),
  kyb: Type.Optional(NewApproval),
}

/** A request may have only one of kyc and kyb, whatever the type of the account. */
const oneApproval = { not: { required: ['kyc', 'kyb'] }, 'x-meaning': 'have kyc or kyb, not both' }

/**
 * One object with the members of both types, and a rule per type, instead of a union: for a union, a validation error
 * would list the failures of both variants.
 */
export const NewAccount = Named(
  'NewAccount',
  {
    type: Type.Enum(accountTypes),
    individual: Type.Optional(NewIndividual),
    company: Type.Optional(Company),
    ...newAccountMembers,
  },
  {
    allOf: [
      {
        if: { required: ['type'], properties: { type: { const: 'COMPANY' } } },
        // oxlint-disable-next-line unicorn/no-thenable -- JSON Schema calls it so
        then: { required: ['company'], properties: { individual: false } },
      },
      {
        if: { required: ['type'], properties: { type: { const: 'INDIVIDUAL' } } },
        // oxlint-disable-next-line unicorn/no-thenable -- JSON Schema calls it so
        then: { required: ['individual'], properties: { company: false } },
      },
      oneApproval,
    ],
  },
)

export const AccountChange = Named(
  'AccountChange',
  {
    communication: Type.Optional(Communication),
    bank_account: Type.Optional(BankAccount),
    tax_information: Type.Optional(TaxInformation),
    kyc: Type.Optional(ApprovalChange),
    kyb: Type.Optional(ApprovalChange),
  },
  { allOf: [oneApproval] },
)

const { kyc, kyb, ...sharedExample } = exampleOf(Type.Object(newAccountMembers))

export const newAccountExamples = {
  individual: { type: 'INDIVIDUAL', individual: exampleOf(NewIndividual), ...sharedExample, kyc },
  company: { type: 'COMPANY', company: exampleOf(Company), ...sharedExample, kyb },
}

export const accountChangeExamples = {
  approval: { kyc: { status: 'APPROVED' } },
  details: { communication: exampleOf(Communication), bank_account: exampleOf(BankAccount) },
}

/** The account as embedded in an order. */
export const AccountSummary = Named('AccountSummary', {
  id: Uuid('The account.'),
  full_name: Type.String({
    description: 'First and last name, or the name of the company.',
    examples: ['Ada Lovelace'],
  }),
  email: Type.String({ examples: ['ada@example.com'] }),
  type: Type.Enum(accountTypes),
})
