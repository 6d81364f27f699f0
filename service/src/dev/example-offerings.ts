import type { Static } from 'typebox'
import type { NewOffering } from '../sales/offerings/operator/operator-offering.schema.ts'

/** The bank account that investors of the example tenant pay to. */
export const exampleIban = 'DE89370400440532013000'

const collection = {
  account_holder: 'Harbour Issuer GmbH',
  bank: 'Testbank',
  bic: 'COBADEFFXXX',
  iban: exampleIban,
  currency: 'EUR',
} as const

/** The local chain of all demo tenants. */
export const demoChain = 'anvil'

const shared = {
  blockchain: demoChain,
  tokenization_platform: 'permissioned-token',
  currency: 'EUR',
  collection_account: collection,
} as const

/** The offering of the first tenant. */
export const demoOffering = {
  ...shared,
  name: 'Harbour Bond 2031',
  symbol: 'HARB',
  type: 'DEBT_TOKENIZED',
  decimals: 8,
  price_per_token: '12.50',
  total_units: '100000000000000',
} as const

/** Offerings on sale from the beginning. Everything later happens through the API. */
export const openedExamples = {
  bond: {
    ...shared,
    name: 'Harbour Bond 2031',
    symbol: 'HARB',
    type: 'DEBT_TOKENIZED',
    decimals: 0,
    price_per_token: '100.00',
    total_units: '5000',
    min_units: '10',
    soft_cap_amount: '40000.00',
  },
  estate: {
    ...shared,
    name: 'Quay Street 12',
    symbol: 'QUAY',
    type: 'EQUITY_SPV_DIGITAL',
    decimals: 2,
    price_per_token: '250.00',
    total_units: '400000',
    acceptance_required: true,
  },
  mill: {
    ...shared,
    name: 'Old Mill Loan',
    symbol: 'MILL',
    type: 'DEBT_TOKENIZED',
    decimals: 0,
    price_per_token: '500.00',
    total_units: '1000',
    soft_cap_units: '400',
  },
  art: {
    ...shared,
    name: 'Lighthouse Collection',
    symbol: 'LITE',
    type: 'ART_COLLECTION',
    decimals: 0,
    price_per_token: '50.00',
    total_units: '20000',
  },
} satisfies Record<string, Static<typeof NewOffering>>

export type OpenedExample = keyof typeof openedExamples

/** Draft whose opening waits for a second person. */
export const completeDraft = {
  ...shared,
  name: 'North Wind Park',
  symbol: 'WIND',
  type: 'EQUITY_TOKENIZED',
  decimals: 0,
  price_per_token: '1000.00',
  total_units: '2500',
} as const

/** Eligibility rules of the draft whose opening waits. */
export const exampleRules = {
  allowed_countries: ['DE', 'AT', 'CH'],
  refused_countries: [],
  account_types: null,
  investor_max_amount: '25000.00',
  is_invited_only: false,
  document_ids: [],
  questionnaire: {
    schema: {
      type: 'object',
      properties: {
        experience: { type: 'string', title: 'How often did you buy shares?', enum: ['never', 'sometimes', 'often'] },
        loss: { type: 'boolean', title: 'Can you afford to lose what you invest?' },
      },
    },
    outcomes: [
      { question: 'experience', one_of: ['never'], outcome: 'warned' },
      { question: 'loss', one_of: [false], outcome: 'refused' },
    ],
  },
  reason: 'As the prospectus says.',
} as const

/** Draft that cannot be opened yet: investors would not know where to pay. */
export const incompleteDraft = {
  ...shared,
  collection_account: null,
  name: 'Solar Roof Fund',
  symbol: 'SUN',
  type: 'DEBT_TOKENIZED',
  decimals: 2,
  price_per_token: '10.00',
  total_units: '10000000',
} as const
