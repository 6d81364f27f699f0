import type { Schemas } from '../api/client.ts'

export const offeringTypes: readonly Schemas['NewOffering']['type'][] = [
  'EQUITY_TOKENIZED',
  'EQUITY_TRADITIONAL',
  'EQUITY_SPV_DIGITAL',
  'DEBT_TOKENIZED',
  'DEBT_TRADITIONAL',
  'DEBT_SPV_DIGITAL',
  'ACCESS_TOKENIZED',
  'ACCESS_TRADITIONAL',
  'ART_TOKENIZED',
  'ART_COLLECTION',
]
