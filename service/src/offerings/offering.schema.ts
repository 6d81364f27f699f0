import { Type } from 'typebox'
import { uuidPattern } from '../base/ids.ts'

export const offeringTypes = [
  'EQUITY_TRADITIONAL',
  'EQUITY_TOKENIZED',
  'EQUITY_SPV_DIGITAL',
  'DEBT_TRADITIONAL',
  'DEBT_TOKENIZED',
  'DEBT_SPV_DIGITAL',
  'ACCESS_TRADITIONAL',
  'ACCESS_TOKENIZED',
  'ART_COLLECTION',
  'ART_TOKENIZED',
] as const

/** A draft is the operator's alone, so integrators never see that status. */
export const visibleOfferingStatuses = ['OPEN', 'CLOSED'] as const

const Uuid = (description: string) => Type.String({ pattern: uuidPattern, 'x-pattern-meaning': 'a UUID', description })

export const OfferingPath = Type.Object({ offeringId: Uuid('The offering.') })

const Units = Type.String({ pattern: '^(0|[1-9][0-9]*)$', description: 'Whole number of the smallest token unit.' })
const Timestamp = Type.String({ format: 'date-time' })
const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()])

/** The eight members that stand for an offering wherever another resource names it. */
const offeringSummaryMembers = {
  id: Uuid('The offering.'),
  name: Type.String(),
  symbol: Type.String(),
  blockchain: Type.String(),
  tokenization_platform: Type.String(),
  decimals: Type.Integer({
    minimum: 0,
    maximum: 18,
    description: 'Decimal places of the token: units = amount * 10^decimals.',
  }),
  type: Type.Enum(offeringTypes),
  price_per_token: Type.String({
    pattern: '^\\d+(\\.\\d+)?$',
    description: 'Price of one whole token in the currency.',
  }),
}

export const Offering = Type.Object(
  {
    ...offeringSummaryMembers,
    status: Type.Enum(visibleOfferingStatuses),
    currency: Type.String({ minLength: 3, maxLength: 3, description: 'ISO 4217.' }),
    logo: Type.String({ description: 'Empty when there is none.' }),
    token_address: orNull(Type.String()),
    total_units: Units,
    available_units: Units,
    min_units: orNull(Units),
    max_units: orNull(Units),
    opens_at: orNull(Timestamp),
    closes_at: orNull(Timestamp),
  },
  { additionalProperties: false },
)
