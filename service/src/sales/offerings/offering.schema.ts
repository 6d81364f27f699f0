import { Type } from 'typebox'
import { Named, orNull, Timestamp, Units, Uuid } from '../../platform/api/declare/fields.ts'

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

/** Statuses that integrators see: never DRAFT, and CLOSED while an offering is paused. */
export const visibleOfferingStatuses = ['OPEN', 'CLOSED'] as const

export const offeringLanguages = ['ar', 'de', 'en', 'es', 'fr'] as const

export const OfferingPath = Type.Object({ offeringId: Uuid('The offering.') })

const summaryMembers = {
  id: Uuid('The offering.'),
  name: Type.String({ examples: ['Harbour Bond 2031'] }),
  symbol: Type.String({ examples: ['HARB'] }),
  blockchain: Type.String({ examples: ['ethereum'] }),
  tokenization_platform: Type.String({ examples: ['permissioned-token'] }),
  decimals: Type.Integer({
    minimum: 0,
    maximum: 18,
    description: 'Decimal places of the token: units = amount * 10^decimals.',
    examples: [8],
  }),
  type: Type.Enum(offeringTypes),
  price_per_token: Type.String({
    pattern: '^\\d+(\\.\\d+)?$',
    description: 'Price of one whole token, in the currency of the offering.',
    examples: ['12.5'],
  }),
}

/** The offering as embedded in other resources. */
export const OfferingSummary = Named('OfferingSummary', summaryMembers)

export const visibleMembers = {
  ...summaryMembers,
  status: Type.Enum(visibleOfferingStatuses),
  currency: Type.String({ minLength: 3, maxLength: 3, description: 'ISO 4217.', examples: ['EUR'] }),
  logo: Type.String({ description: 'Empty if the offering has none.', examples: [''] }),
  token_address: orNull(
    Type.String({ description: 'Address of the token on its chain. Null until the token is deployed.' }),
    {
      examples: [null],
    },
  ),
  total_units: Units('Units of the offering in total.', '100000000000000'),
  available_units: Units('Units that can still be ordered.', '99000000000000'),
  min_units: orNull(Units('Minimum units of an order.', '100000000')),
  max_units: orNull(Units('Maximum units of an order.'), { examples: [null] }),
  opens_at: orNull(Timestamp('When sales start.')),
  closes_at: orNull(Timestamp('When sales end.'), { examples: [null] }),
}

export const Offering = Named('Offering', visibleMembers)
