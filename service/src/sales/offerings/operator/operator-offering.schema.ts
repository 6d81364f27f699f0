import { Type } from 'typebox'
import {
  CurrencyCode,
  Decimal,
  orNull,
  SomeUnits,
  Text,
  Timestamp,
  Units,
} from '../../../platform/api/declare/fields.ts'
import { offeringLanguages, offeringTypes, visibleMembers } from '../offering.schema.ts'

const closed = { additionalProperties: false }

export const offeringStatuses = ['DRAFT', 'OPEN', 'CLOSED'] as const

const CollectionAccount = Type.Object(
  {
    account_holder: Text(1, 100, { examples: ['Harbour Issuer GmbH'] }),
    bank: Text(1, 100, { examples: ['Testbank'] }),
    bic: Text(8, 11, { examples: ['COBADEFFXXX'] }),
    iban: Text(15, 34, { examples: ['DE89370400440532013000'] }),
    currency: CurrencyCode('ISO 4217; must be the currency of the offering.'),
  },
  { ...closed, title: 'CollectionAccount', description: 'The bank account that buyers pay to.' },
)

const Names = Type.Object(
  Object.fromEntries(
    offeringLanguages.map((language) => [
      language,
      Type.Optional(Text(1, 200, { description: `Name in ${language}.`, examples: ['Harbour Bond 2031'] })),
    ]),
  ) as Record<(typeof offeringLanguages)[number], ReturnType<typeof optionalName>>,
  { ...closed, title: 'OfferingNames', description: 'Names by language. `name` applies to all other languages.' },
)

function optionalName() {
  return Type.Optional(Text(1, 200))
}

// A request body is limited to 64 KiB; this leaves room for the other members.
const logoLengthMax = 40_000

const ApprovalRequired = Type.Boolean({ description: 'Whether only approved accounts may buy.', default: false })
const AcceptanceRequired = Type.Boolean({
  description: 'Whether an operator must accept each paid order.',
  default: false,
})
const PaymentTermDays = Type.Integer({
  minimum: 1,
  maximum: 365,
  default: 14,
  description: 'Days within which an order must be paid.',
})
const PaymentTolerance = Decimal('The maximum shortfall at which an order still counts as paid.', '0')

const required = {
  name: Text(1, 200, { examples: ['Harbour Bond 2031'] }),
  symbol: Text(1, 32, { examples: ['HARB'] }),
  blockchain: Text(1, 100, { examples: ['ethereum'] }),
  tokenization_platform: Text(1, 100, { examples: ['permissioned-token'] }),
  decimals: visibleMembers.decimals,
  type: Type.Enum(offeringTypes),
  price_per_token: Decimal('Price of one whole token, in the currency of the offering.', '12.5'),
  currency: CurrencyCode('ISO 4217.'),
  total_units: SomeUnits('Units of the offering in total, in the smallest token unit.', '100000000000000'),
}

const choices = {
  min_units: orNull(SomeUnits('Minimum units of an order.', '100000000')),
  max_units: orNull(SomeUnits('Maximum units of an order.', '10000000000000')),
  opens_at: orNull(Timestamp('When sales start.')),
  closes_at: orNull(Timestamp('When sales end.'), { examples: [null] }),
  payment_term_days: PaymentTermDays,
  payment_tolerance: PaymentTolerance,
  collection_account: orNull(CollectionAccount),
  names: Names,
  logo: Type.String({
    maxLength: logoLengthMax,
    pattern: '^(https://\\S+|data:image/\\S+)?$',
    'x-meaning': 'be a URL that begins with https:// or data:image/, or empty',
    description: 'Empty if the offering has none.',
    examples: [''],
  }),
  approval_required: ApprovalRequired,
  acceptance_required: AcceptanceRequired,
}

const optional = {
  min_units: Type.Optional(choices.min_units),
  max_units: Type.Optional(choices.max_units),
  opens_at: Type.Optional(choices.opens_at),
  closes_at: Type.Optional(choices.closes_at),
  payment_term_days: Type.Optional(choices.payment_term_days),
  payment_tolerance: Type.Optional(choices.payment_tolerance),
  collection_account: Type.Optional(choices.collection_account),
  names: Type.Optional(choices.names),
  logo: Type.Optional(choices.logo),
  approval_required: Type.Optional(choices.approval_required),
  acceptance_required: Type.Optional(choices.acceptance_required),
}

export const NewOffering = Type.Object({ ...required, ...optional }, { ...closed, title: 'NewOffering' })

export const OfferingChange = Type.Partial(NewOffering, { ...closed, title: 'OfferingChange' })

/** The members that integrators see, and those for operators only. */
export const OperatorOffering = Type.Object(
  {
    ...visibleMembers,
    status: Type.Enum(offeringStatuses),
    names: Names,
    collection_account: orNull(CollectionAccount),
    approval_required: ApprovalRequired,
    acceptance_required: AcceptanceRequired,
    payment_term_days: PaymentTermDays,
    payment_tolerance: PaymentTolerance,
    reserved_units: Units('Units of orders that are not minted yet.', '1000000000000'),
    issued_units: Units('Minted units.', '0'),
    attached_token_address: orNull(
      Type.String({ description: 'An existing token that an operator attached to the offering.' }),
      {
        examples: [null],
      },
    ),
    token_rejection: orNull(Type.String({ description: 'Why the attached token was rejected.' }), { examples: [null] }),
    minting_stopped: orNull(Type.String({ description: 'Why minting is stopped until an operator resumes it.' }), {
      examples: [null],
    }),
    created_at: Timestamp('When the draft was created.'),
    opened_at: orNull(Timestamp('When the offering was opened.'), { examples: [null] }),
    closed_at: orNull(Timestamp('When the offering was closed.'), { examples: [null] }),
  },
  { ...closed, title: 'OperatorOffering' },
)
