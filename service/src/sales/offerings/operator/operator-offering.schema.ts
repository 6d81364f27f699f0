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
    currency: CurrencyCode('ISO 4217; that of the offering.'),
  },
  { ...closed, title: 'CollectionAccount', description: 'Where buyers pay to.' },
)

const Names = Type.Object(
  Object.fromEntries(
    offeringLanguages.map((language) => [
      language,
      Type.Optional(Text(1, 200, { description: `Its name in ${language}.`, examples: ['Harbour Bond 2031'] })),
    ]),
  ) as Record<(typeof offeringLanguages)[number], ReturnType<typeof optionalName>>,
  { ...closed, title: 'OfferingNames', description: 'Its name by language; where there is none, name counts.' },
)

function optionalName() {
  return Type.Optional(Text(1, 200))
}

// A body has 64 KiB: this leaves room for all else.
const logoLengthMax = 40_000

const ApprovalRequired = Type.Boolean({ description: 'Whether only approved accounts may buy.', default: false })
const AcceptanceRequired = Type.Boolean({
  description: 'Whether an operator has to accept each order that is paid.',
  default: false,
})
const PaymentTermDays = Type.Integer({
  minimum: 1,
  maximum: 365,
  default: 14,
  description: 'In how many days an order has to be paid.',
})
const PaymentTolerance = Decimal('How much less than the total still counts as paid.', '0')

const required = {
  name: Text(1, 200, { examples: ['Harbour Bond 2031'] }),
  symbol: Text(1, 32, { examples: ['HARB'] }),
  blockchain: Text(1, 100, { examples: ['ethereum'] }),
  tokenization_platform: Text(1, 100, { examples: ['permissioned-token'] }),
  decimals: visibleMembers.decimals,
  type: Type.Enum(offeringTypes),
  price_per_token: Decimal('Price of one whole token, in the currency of the offering.', '12.5'),
  currency: CurrencyCode('ISO 4217.'),
  total_units: SomeUnits('All there are, in the smallest token unit.', '100000000000000'),
}

const choices = {
  min_units: orNull(SomeUnits('The least that an order may ask for.', '100000000')),
  max_units: orNull(SomeUnits('The most that an order may ask for.', '10000000000000')),
  opens_at: orNull(Timestamp('Not sold before.')),
  closes_at: orNull(Timestamp('Not sold from then on.'), { examples: [null] }),
  payment_term_days: PaymentTermDays,
  payment_tolerance: PaymentTolerance,
  collection_account: orNull(CollectionAccount),
  names: Names,
  logo: Type.String({
    maxLength: logoLengthMax,
    pattern: '^(https://\\S+|data:image/\\S+)?$',
    'x-meaning': 'be a URL that begins with https:// or data:image/, or empty',
    description: 'Empty when there is none.',
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

/** What an integrator sees of an offering, and all that is the operator's. */
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
    reserved_units: Units('Ordered and not yet issued.', '1000000000000'),
    issued_units: Units('Minted.', '0'),
    wanted_token_address: orNull(Type.String({ description: 'A token that was there before the offering.' }), {
      examples: [null],
    }),
    token_refusal: orNull(Type.String({ description: 'Why that cannot be its token.' }), { examples: [null] }),
    minting_stopped: orNull(Type.String({ description: 'Why nothing is minted until somebody has looked.' }), {
      examples: [null],
    }),
    created_at: Timestamp('When the draft was made.'),
    opened_at: orNull(Timestamp('When it was opened.'), { examples: [null] }),
    closed_at: orNull(Timestamp('When it was closed.'), { examples: [null] }),
  },
  { ...closed, title: 'OperatorOffering' },
)
