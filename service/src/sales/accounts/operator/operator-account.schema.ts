import { Type } from 'typebox'
import { exampleOf } from '../../../platform/api/declare/example.ts'
import { Text, Timestamp } from '../../../platform/api/declare/fields.ts'
import { Account, AccountSummary, approvalStatuses } from '../account.schema.ts'
import { findingCodes } from '../data-quality.ts'

const closed = { additionalProperties: false }

const times = { created_at: Timestamp('When it was created.'), updated_at: Timestamp('When it was last changed.') }

/** What a search shows: enough to find somebody, and nothing that is sealed. */
export const FoundAccount = Type.Object(
  {
    ...AccountSummary.properties,
    kyc_status: Type.Enum(approvalStatuses),
    kyb_status: Type.Enum(approvalStatuses),
    ...times,
  },
  { ...closed, title: 'FoundAccount' },
)

const Finding = Type.Object(
  {
    code: Type.Enum(findingCodes),
    field: Type.String({ description: 'The member that it is about.', examples: ['bank_account.iban'] }),
    message: Type.String({ examples: ['The IBAN is not of the country of the bank.'] }),
  },
  { ...closed, title: 'Finding' },
)

const Count = (description: string) => Type.Integer({ minimum: 0, description, examples: [1] })

const operatorMembers = {
  ...times,
  counts: Type.Object(
    {
      benefiting_persons: Count('Of a company.'),
      orders: Count('In whatever state.'),
      wallets: Count('In whatever state.'),
      transactions: Count('Of its tokens.'),
    },
    { ...closed, title: 'AccountCounts' },
  ),
  findings: Type.Array(Finding, { description: 'What to look at before deciding. They inform and refuse nothing.' }),
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
      description: 'Why, for the audit log. Name no person here.',
      examples: ['Passport seen.'],
    }),
  },
  {
    ...closed,
    title: 'ApprovalDecision',
    allOf: [
      { not: { required: ['kyc', 'kyb'] }, 'x-meaning': 'hold kyc or kyb, not both' },
      // biome-ignore lint/suspicious/noThenProperty: JSON Schema calls it so
      { if: { not: { required: ['kyb'] } }, then: { required: ['kyc'] } },
    ],
  },
)

export const decisionExamples = {
  individual: { kyc: 'APPROVED', reason: 'Passport seen.' },
  company: { kyb: 'REJECTED', reason: 'Not in the register of companies.' },
}

/** How accounts are found: each member that is there must fit. */
export const accountFilters = {
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      // A text of PostgreSQL cannot hold it, and a query string can.
      pattern: '^[^\\u0000]*$',
      'x-meaning': 'hold no U+0000',
      description: 'Part of the name or e-mail address in either case, or the id of an account.',
      examples: ['lovelace'],
    }),
  ),
  type: Type.Optional(AccountSummary.properties.type),
  kyc_status: Type.Optional(Type.Enum(approvalStatuses)),
  kyb_status: Type.Optional(Type.Enum(approvalStatuses)),
}
