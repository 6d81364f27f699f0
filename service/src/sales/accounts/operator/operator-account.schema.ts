import { Type } from 'typebox'
import { exampleOf } from '../../../platform/api/declare/example.ts'
import { Text, Timestamp } from '../../../platform/api/declare/fields.ts'
import { Account, AccountSummary, approvalStatuses } from '../account.schema.ts'
import { findingCodes } from '../data-quality.ts'

const closed = { additionalProperties: false }

const times = {
  created_at: Timestamp('When the account was created.'),
  updated_at: Timestamp('When the account was last changed.'),
}

/** What a search shows: enough to find an account, and no encrypted data. */
export const AccountSearchResult = Type.Object(
  {
    ...AccountSummary.properties,
    kyc_status: Type.Enum(approvalStatuses),
    kyb_status: Type.Enum(approvalStatuses),
    ...times,
  },
  { ...closed, title: 'AccountSearchResult' },
)

const Finding = Type.Object(
  {
    code: Type.Enum(findingCodes),
    field: Type.String({ description: 'The member of the account.', examples: ['bank_account.iban'] }),
    message: Type.String({ examples: ['The country of the IBAN is not the country of the bank.'] }),
  },
  { ...closed, title: 'Finding' },
)

const Count = (description: string) => Type.Integer({ minimum: 0, description, examples: [1] })

const operatorMembers = {
  ...times,
  counts: Type.Object(
    {
      benefiting_persons: Count('Benefiting persons of a company.'),
      orders: Count('Orders in any status.'),
      wallets: Count('Wallets in any status.'),
      transactions: Count('Token transactions.'),
    },
    { ...closed, title: 'AccountCounts' },
  ),
  findings: Type.Array(Finding, { description: 'What to review before a decision. Findings never block an account.' }),
}

export const OperatorAccount = Type.Object(
  { ...Account.properties, ...operatorMembers },
  {
    ...closed,
    title: 'OperatorAccount',
    examples: [{ ...exampleOf(Account), ...exampleOf(Type.Object(operatorMembers)) }],
  },
)

export const ApprovalDecision = Type.Object(
  {
    kyc: Type.Optional(Type.Enum(approvalStatuses)),
    kyb: Type.Optional(Type.Enum(approvalStatuses)),
    reason: Text(1, 1000, {
      description: 'The reason for the audit log. Must not contain personal data.',
      examples: ['Passport seen.'],
    }),
  },
  {
    ...closed,
    title: 'ApprovalDecision',
    allOf: [
      { not: { required: ['kyc', 'kyb'] }, 'x-meaning': 'have kyc or kyb, not both' },
      // biome-ignore lint/suspicious/noThenProperty: JSON Schema calls it so
      { if: { not: { required: ['kyb'] } }, then: { required: ['kyc'] } },
    ],
  },
)

export const decisionExamples = {
  individual: { kyc: 'APPROVED', reason: 'Passport seen.' },
  company: { kyb: 'REJECTED', reason: 'Not in the register of companies.' },
}

/** The search filters. An account must match all that are given. */
export const AccountSearch = Type.Object(
  {
    q: Type.Optional(
      Text(1, 200, {
        description: 'Part of the name or e-mail address, ignoring case, or the id of an account.',
        examples: ['lovelace'],
      }),
    ),
    type: Type.Optional(AccountSummary.properties.type),
    kyc_status: Type.Optional(Type.Enum(approvalStatuses)),
    kyb_status: Type.Optional(Type.Enum(approvalStatuses)),
  },
  { ...closed, title: 'AccountSearch' },
)
