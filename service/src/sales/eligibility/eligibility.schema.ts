import { Type } from 'typebox'
import { CountryCode, Decimal, Named, orNull, Text, Timestamp, Uuid } from '../../platform/api/declare/fields.ts'
import { accountTypes } from '../accounts/account.schema.ts'
import { ineligibilities } from '../blockers/ineligibility.sql.ts'
import { documentKinds } from '../documents/document.schema.ts'
import { OpenAnswersSchema, OpenQuestionnaire, questionnaireOutcomes } from './questionnaire.schema.ts'

export const AccountEligibilityPath = Type.Object({
  accountId: Uuid('The account.'),
  offeringId: Uuid('The offering.'),
})
/** The offering comes first, because a duty may be limited to it. */
export const InvitationPath = Type.Object({ offeringId: Uuid('The offering.'), accountId: Uuid('The account.') })
export const RequiredDocumentPath = Type.Object({
  ...AccountEligibilityPath.properties,
  documentId: Uuid('The document.'),
})

const Countries = (description: string) =>
  Type.Array(CountryCode('A country.'), { maxItems: 249, uniqueItems: true, description, examples: [['DE', 'AT']] })

const rules = {
  allowed_countries: orNull(Countries('Only accounts with an address in these countries may buy.'), {
    description: 'Null: all countries but the refused ones.',
  }),
  refused_countries: Countries('Accounts with an address in these countries may not buy.'),
  account_types: orNull(Type.Array(Type.Enum(accountTypes), { minItems: 1, maxItems: 2, uniqueItems: true }), {
    description: 'The kinds of investors that may buy. Null: all.',
    examples: [null],
  }),
  investor_max_amount: orNull(Decimal('The largest sum of all orders of one account.', '10000.00'), {
    description: 'In the currency of the offering. Null: no limit. The limit of all together is `total_units`.',
  }),
  is_invited_only: Type.Boolean({ description: 'Whether only invited accounts may buy.' }),
}

const Sha256 = Type.String({
  pattern: '^[0-9a-f]{64}$',
  'x-meaning': 'be the SHA-256 of the file in hexadecimal',
  examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
})

const Version = (description: string) =>
  Type.Integer({ minimum: 1, maximum: 2_147_483_647, description, examples: [1] })

const requiredDocument = {
  id: Uuid('The document.'),
  kind: Type.Enum(documentKinds),
  sha256: Sha256,
  version: Version('The version of the rules that first required it.'),
}

export const EligibilityRules = Named('EligibilityRules', {
  version: Type.Integer({ minimum: 0, description: 'Counts the changes. 0: there are no rules.', examples: [1] }),
  ...rules,
  documents: Type.Array(Named('RequiredDocument', requiredDocument), { maxItems: 20 }),
  questionnaire: orNull(OpenQuestionnaire),
})

export const NewEligibilityRules = Named('NewEligibilityRules', {
  ...rules,
  document_ids: Type.Array(Uuid('The document.'), {
    maxItems: 20,
    uniqueItems: true,
    description: 'Documents of the offering that an investor must accept.',
  }),
  questionnaire: orNull(OpenQuestionnaire, {
    description: 'A change makes every investor answer again. Null: no questionnaire.',
  }),
  reason: Text(1, 500, {
    description: 'For the audit log. Must not contain personal data.',
    examples: ['Supplement of the prospectus.'],
  }),
})

export const newRulesExamples = {
  countries: {
    allowed_countries: ['DE', 'AT'],
    refused_countries: [],
    account_types: null,
    investor_max_amount: '10000.00',
    is_invited_only: false,
    document_ids: [],
    questionnaire: null,
    reason: 'Prospectus of 2 July.',
  },
}

const AccountIneligibility = Named('EligibilityBlocker', {
  code: Type.Enum(ineligibilities),
  message: Type.String({ examples: ['The account has not accepted all documents of the offering.'] }),
  remedy: Type.String({ examples: ['Show the investor the documents, and accept each of them.'] }),
})

const DocumentToAccept = Named('DocumentToAccept', {
  ...requiredDocument,
  accepted_at: orNull(Timestamp('When the account accepted it. Null: not yet.'), { examples: [null] }),
})

const QuestionnaireToAnswer = Named('QuestionnaireToAnswer', {
  version: Version('Send it with the answers.'),
  schema: OpenAnswersSchema,
  outcome: orNull(Type.Enum(questionnaireOutcomes), { description: 'Null: not answered.', examples: [null] }),
  is_warning_accepted: Type.Boolean({ examples: [false] }),
  answered_at: orNull(Timestamp('When it was answered.'), { examples: [null] }),
})

/** Steps that an investor has to take before an order of the offering can be minted. */
export const AccountEligibility = Named('AccountEligibility', {
  account_id: Uuid('The account.'),
  offering_id: Uuid('The offering.'),
  is_eligible: Type.Boolean({ description: 'Whether there are no blockers.' }),
  blockers: Type.Array(AccountIneligibility, {
    description:
      'What keeps orders of the account from being minted. The sum of its orders is compared with the order.',
  }),
  investor_max_amount: rules.investor_max_amount,
  documents: Type.Array(DocumentToAccept),
  questionnaire: orNull(QuestionnaireToAnswer, { description: 'Null: the offering has none.' }),
})

export const DocumentAcceptance = Named(
  'DocumentAcceptance',
  { sha256: Sha256 },
  { description: 'The hash of the file that the investor has seen.' },
)

export const QuestionnaireAnswers = Named('QuestionnaireAnswers', {
  version: Version('The version of the questionnaire that the investor has seen.'),
  answers: Type.Object(
    {},
    { additionalProperties: true, description: 'One member for each question.', examples: [{ experience: 'often' }] },
  ),
  accepts_warning: Type.Optional(
    Type.Boolean({ default: false, description: 'Whether the investor wants to buy although the answers warn.' }),
  ),
})

export const InvitedAccounts = Named('InvitedAccounts', {
  account_ids: Type.Array(Uuid('The account.'), { minItems: 1, maxItems: 100, uniqueItems: true }),
})

export const InvitedAccount = Named('InvitedAccount', {
  account_id: Uuid('The account.'),
  account_name: Type.String({ examples: ['Ada Lovelace'] }),
  invited_at: Timestamp('When it was invited.'),
})
