import { Type } from 'typebox'
import {
  CurrencyCode,
  Decimal,
  Named,
  orNull,
  SomeUnits,
  Text,
  Timestamp,
  Units,
} from '../../../platform/api/declare/fields.ts'
import { offeringLanguages, offeringTypes, visibleMembers } from '../offering.schema.ts'

export const offeringStatuses = ['DRAFT', 'OPEN', 'PAUSED', 'CLOSED'] as const

const CollectionAccount = Named(
  'CollectionAccount',
  {
    account_holder: Text(1, 100, { examples: ['Harbour Issuer GmbH'] }),
    bank: Text(1, 100, { examples: ['Testbank'] }),
    bic: Text(8, 11, { examples: ['COBADEFFXXX'] }),
    iban: Text(15, 34, { description: 'Its check digits must be right.', examples: ['DE89370400440532013000'] }),
    currency: CurrencyCode('ISO 4217; must be the currency of the offering.'),
  },
  { description: 'The bank account that buyers pay to.' },
)

const Names = Named(
  'OfferingNames',
  Object.fromEntries(
    offeringLanguages.map((language) => [
      language,
      Type.Optional(Text(1, 200, { description: `Name in ${language}.`, examples: ['Harbour Bond 2031'] })),
    ]),
  ) as Record<(typeof offeringLanguages)[number], ReturnType<typeof optionalName>>,
  { description: 'Names by language. `name` applies to all other languages.' },
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
const SoftCapUnits = orNull(
  SomeUnits(
    'What paid orders must reach in units before any order is minted. Null for no such limit.',
    '1000000000000',
  ),
  { examples: [null] },
)
const SoftCapAmount = orNull(
  Decimal('What paid orders must be worth before any order is minted. Null for no such limit.', '100000'),
  { examples: [null] },
)
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
  soft_cap_units: SoftCapUnits,
  soft_cap_amount: SoftCapAmount,
}

const optional = Type.Partial(Type.Object(choices)).properties

export const NewOffering = Named('NewOffering', { ...required, ...optional })

export const OfferingChange = Type.Partial(NewOffering, { additionalProperties: false, title: 'OfferingChange' })

export const RefundOfAllReason = Named('RefundOfAllReason', {
  reason: Text(1, 500, { description: 'For the audit log.', examples: ['Sales ended below the soft cap.'] }),
})

const SaleReason = Text(1, 500, {
  description: 'For the audit log. Must not contain personal data.',
  examples: ['The prospectus is being corrected.'],
})

export const OfferingPause = Named('OfferingPause', { reason: SaleReason })

const LockUpUntil = orNull(Timestamp('Until then units do not change their owner; null without lock-up.'), {
  examples: [null],
})

export const LockUp = Named('LockUp', { lock_up_until: LockUpUntil, reason: SaleReason })

export const extractFormats = ['json', 'csv', 'pdf'] as const

const registerDetails = {
  isin: orNull(
    Type.String({
      pattern: '^[A-Z]{2}[A-Z0-9]{9}[0-9]$',
      'x-meaning': 'be an ISIN (ISO 6166), such as US0378331005',
      description: 'Its check digit must be right.',
      examples: ['US0378331005'],
    }),
  ),
  issuer_name: orNull(Text(1, 200, { description: 'The issuer.', examples: ['Harbour Issuer GmbH'] })),
  issuer_lei: orNull(
    Type.String({
      pattern: '^[A-Z0-9]{18}[0-9]{2}$',
      'x-meaning': 'be an LEI (ISO 17442), such as 7H6GLXDRUGQFU57RNE97',
      description: 'The Legal Entity Identifier of the issuer. Its check digits must be right.',
      examples: ['7H6GLXDRUGQFU57RNE97'],
    }),
  ),
  nominal_amount: orNull(Decimal('The nominal value of one whole token.', '1000')),
  nominal_currency: orNull(CurrencyCode('ISO 4217; together with `nominal_amount`.')),
  extract_format: orNull(Type.Enum(extractFormats), {
    description:
      'A holder gets an extract in this format after each finalized change of their position. Null: none is made.',
    examples: [null],
  }),
}

/** Details of the security for extracts of the register. */
export const RegisterDetails = Named('RegisterDetails', registerDetails)

/** Terms that can change while an offering is on sale: none that an existing order depends on. */
export const SaleTermsChange = Named(
  'SaleTermsChange',
  {
    closes_at: optional.closes_at,
    total_units: Type.Optional(required.total_units),
    min_units: optional.min_units,
    max_units: optional.max_units,
    reason: SaleReason,
  },
  { minProperties: 2, 'x-meaning': 'have at least one term beside the reason' },
)

/** Members that integrators see, and those for operators only. */
export const OperatorOffering = Named('OperatorOffering', {
  ...visibleMembers,
  status: Type.Enum(offeringStatuses),
  names: Names,
  collection_account: orNull(CollectionAccount),
  approval_required: ApprovalRequired,
  acceptance_required: AcceptanceRequired,
  payment_term_days: PaymentTermDays,
  payment_tolerance: PaymentTolerance,
  soft_cap_units: SoftCapUnits,
  soft_cap_amount: SoftCapAmount,
  funded_units: Units('Units of paid orders, counted until the soft cap is met.', '0'),
  funded_amount: Type.String({
    description: 'What paid orders are worth, counted until the soft cap is met.',
    examples: ['0'],
  }),
  soft_cap_met_at: orNull(Timestamp('When paid orders reached the soft cap.'), { examples: [null] }),
  refund_all_at: orNull(Timestamp('When it was decided to refund all orders, because the soft cap was missed.'), {
    examples: [null],
  }),
  refunded_all_at: orNull(Timestamp('When the last of these orders was cancelled.'), { examples: [null] }),
  reserved_units: Units('Units of orders that are not minted yet.', '1000000000000'),
  issued_units: Units('Minted units.', '0'),
  attached_token_address: orNull(
    Type.String({ description: 'An existing token that an operator attached to the offering.' }),
    {
      examples: [null],
    },
  ),
  token_rejection: orNull(Type.String({ description: 'Why the attached token was rejected.' }), { examples: [null] }),
  token_cap: orNull(
    Units(
      'The largest supply that the token allows on its chain. The token action `SET_CAP` changes it.',
      '100000000000000',
    ),
  ),
  minting_stopped: orNull(Type.String({ description: 'Why minting is stopped until an operator resumes it.' }), {
    examples: [null],
  }),
  lock_up_until: LockUpUntil,
  token_enforces_lock_up: Type.Boolean({
    description:
      'Whether the token itself rejects transfers by holders during lock-up. Attached tokens do not, nor those ' +
      'that earlier versions have deployed.',
  }),
  register: RegisterDetails,
  created_at: Timestamp('When the draft was created.'),
  opened_at: orNull(Timestamp('When the offering was opened.'), { examples: [null] }),
  closed_at: orNull(Timestamp('When the offering was closed.'), { examples: [null] }),
})
