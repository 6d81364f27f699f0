import { Type } from 'typebox'
import { exampleOf } from '../../../platform/api/declare/example.ts'
import { Named, orNull, Text, Timestamp } from '../../../platform/api/declare/fields.ts'
import { createdRange } from '../../../platform/api/declare/list-filters.ts'
import { Masked } from '../../../platform/api/declare/masked.ts'
import { Account, AccountSummary, approvalStatuses } from '../account.schema.ts'
import { approvalRisks } from '../approval-risks.ts'
import { findingCodes } from '../data-quality.ts'

const times = {
  created_at: Timestamp('When the account was created.'),
  updated_at: Timestamp('When the account was last changed.'),
}

const Finding = Named('Finding', {
  code: Type.Enum(findingCodes),
  field: Type.String({ description: 'The member of the account.', examples: ['bank_account.iban'] }),
  message: Type.String({ examples: ['The country of the IBAN is not the country of the bank.'] }),
})

const findings = Type.Array(Finding, {
  description: 'What to review before a decision. Findings never block an account.',
})

/** Result of a search: enough to find an account and to see what to review, and no encrypted data. */
export const AccountSearchResult = Named('AccountSearchResult', {
  ...AccountSummary.properties,
  kyc_status: Type.Enum(approvalStatuses),
  kyb_status: Type.Enum(approvalStatuses),
  ...times,
  findings,
})

const Count = (description: string) => Type.Integer({ minimum: 0, description, examples: [1] })

const full = Account.properties
const maskedMembers = {
  bank_account: Named('MaskedBankAccount', {
    ...full.bank_account.properties,
    iban: Masked('iban', 'The IBAN.', 'DE89370400440532013000'),
  }),
  tax_information: Type.Optional(
    Named('MaskedTaxInformation', {
      ...full.tax_information.properties,
      tax_identification_number: Masked('tax_number', 'The tax identification number.', '12345678901'),
    }),
  ),
  company: Type.Optional(
    Named('MaskedCompany', {
      ...full.company.properties,
      vat_id: Masked('tax_number', 'The VAT number.', 'DE123456789'),
    }),
  ),
}

const Risks = (description: string) =>
  Type.Array(Type.Enum(approvalRisks), {
    maxItems: approvalRisks.length,
    uniqueItems: true,
    description,
    examples: [[]],
  })

const operatorMembers = {
  ...times,
  erased_at: orNull(Timestamp('When its personal data was erased.'), { examples: [null] }),
  counts: Named('AccountCounts', {
    benefiting_persons: Count('Benefiting persons of a company.'),
    orders: Count('Orders in any status.'),
    wallets: Count('Wallets in any status.'),
    transactions: Count('Token transactions.'),
  }),
  findings,
  approval_risks: Named(
    'ApprovalRisks',
    { kyc: Risks('For `kyc`.'), kyb: Risks('For `kyb`.') },
    {
      description:
        'What a person who approves by hand must acknowledge. `document_missing`: no document, and no provider has ' +
        'approved. `provider_rejected`: the latest result of a provider. `beneficial_owner_missing`: of a company.',
    },
  ),
}

// An account has only the object of its type, and the example is a person.
const { company: _, ...maskedExample } = exampleOf(Type.Object(maskedMembers))

export const OperatorAccount = Named(
  'OperatorAccount',
  { ...Account.properties, ...maskedMembers, ...operatorMembers },
  { examples: [{ ...exampleOf(Account), ...maskedExample, ...exampleOf(Type.Object(operatorMembers)) }] },
)

const masked = (kind: 'iban' | 'tax_number') => ({ 'x-masked': kind })

/** Data that integrators can change too. An approval shows this request masked. */
export const AccountCorrection = Named(
  'AccountCorrection',
  {
    communication: Type.Optional(full.communication),
    bank_account: Type.Optional(
      Named('NewBankAccount', {
        ...full.bank_account.properties,
        iban: Text(15, 34, { ...masked('iban'), examples: ['DE89370400440532013000'] }),
      }),
    ),
    tax_information: Type.Optional(
      Named('NewTaxInformation', {
        ...full.tax_information.properties,
        tax_identification_number: Text(1, 50, { ...masked('tax_number'), examples: ['12345678901'] }),
      }),
    ),
    reason: Text(1, 1000, {
      description: 'The reason for the audit log. Must not contain personal data.',
      examples: ['Letter of the investor.'],
    }),
  },
  { minProperties: 2, 'x-meaning': 'have something to correct and a reason' },
)

export const accountCorrectionExamples = {
  contact: { communication: exampleOf(full.communication), reason: 'Letter of the investor.' },
}

export const ApprovalDecision = Named(
  'ApprovalDecision',
  {
    kyc: Type.Optional(Type.Enum(approvalStatuses)),
    kyb: Type.Optional(Type.Enum(approvalStatuses)),
    acknowledged: Type.Optional(
      Risks('The `approval_risks` of the account that you know of; an approval needs each of them. For the audit log.'),
    ),
    reason: Text(1, 1000, {
      description: 'The reason for the audit log. Must not contain personal data.',
      examples: ['Passport seen.'],
    }),
  },
  {
    allOf: [
      { not: { required: ['kyc', 'kyb'] }, 'x-meaning': 'have kyc or kyb, not both' },
      // oxlint-disable-next-line unicorn/no-thenable -- JSON Schema calls it so
      { if: { not: { required: ['kyb'] } }, then: { required: ['kyc'] } },
    ],
  },
)

export const decisionExamples = {
  individual: { kyc: 'APPROVED', reason: 'Passport seen.' },
  company: { kyb: 'REJECTED', reason: 'Not in the register of companies.' },
}

const OneOfStatuses = Type.Array(Type.Enum(approvalStatuses), {
  minItems: 1,
  maxItems: approvalStatuses.length,
  uniqueItems: true,
  examples: [['PENDING']],
})

/** The search filters. An account must match all that are given. */
export const AccountSearch = Named('AccountSearch', {
  q: Type.Optional(
    Text(1, 200, {
      description:
        'Beginnings of words of the name, the beginning of the e-mail address, or the id of an account. Accents ' +
        'and case do not matter.',
      examples: ['lovelace'],
    }),
  ),
  type: Type.Optional(AccountSummary.properties.type),
  kyc_status: Type.Optional(OneOfStatuses),
  kyb_status: Type.Optional(OneOfStatuses),
  ...createdRange,
})
