import { Type } from 'typebox'
import {
  CalendarDate,
  Closed,
  CountryCode,
  CurrencyCode,
  Decimal,
  Named,
  orNull,
  Text,
  Timestamp,
  Units,
  Uuid,
} from '../platform/api/declare/fields.ts'
import { DistributionKind, entitlementMembers, entitlementStatuses } from '../sales/entitlements/entitlement.schema.ts'
import { distributionStatuses } from './distribution-status.ts'
import { rationalPattern } from './rational.ts'

const closed = { additionalProperties: false }
const Count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description, examples: [example] })
const ExactAmount = (description: string, example: string) => Type.String({ description, examples: [example] })

export const DistributionPath = Type.Object({ distributionId: Uuid('The distribution.') })
export const DistributionFilePath = Type.Object({ fileId: Uuid('The file of a distribution.') })

export const SourceAccount = Named(
  'SourceAccount',
  {
    account_holder: Text(1, 140, { examples: ['Harbour Bond GmbH'] }),
    iban: Text(5, 42, {
      description: 'Statements of this account settle the transfers.',
      examples: ['DE89370400440532013000'],
    }),
    bic: Text(0, 11, { description: 'Empty if the bank derives it from the IBAN.', examples: ['COBADEFFXXX'] }),
  },
  { description: 'The account of the issuer that pays.' },
)

export const Withholding = Type.Array(
  Named('WithholdingRate', {
    country: CountryCode('The country in the address of the investor.'),
    percent: Type.String({
      pattern: '^(100|[0-9]{1,2}(\\.[0-9]{1,6})?)$',
      'x-meaning': 'be a percentage from 0 to 100 with at most six decimal places, as a string',
      description: 'Which part of the gross amount is withheld.',
      examples: ['26.375'],
    }),
  }),
  { maxItems: 250, description: 'Nothing is withheld for other countries.' },
)

const terms = {
  kind: DistributionKind,
  record_at: Timestamp('Who has units at this time is entitled: after the last finalized block at or before it.'),
  pay_on: CalendarDate('When the bank should pay. A day in the past becomes the day of the download.'),
  currency: CurrencyCode('What is paid.'),
  rate_per_token: Type.String({
    pattern: rationalPattern,
    'x-meaning': 'be a decimal number or a fraction of two, such as "12.50" or "910/73"',
    description: 'What each whole token earns, exactly. Give either this or `total_amount`.',
    examples: ['12.50'],
  }),
  total_amount: Decimal('What all units share. Give either this or `rate_per_token`.', '100000.00'),
  source_account: SourceAccount,
  withholding: Withholding,
}

export const NewDistribution = Named('NewDistribution', {
  ...terms,
  rate_per_token: Type.Optional(terms.rate_per_token),
  total_amount: Type.Optional(terms.total_amount),
  withholding: Type.Optional(terms.withholding),
})

export const DistributionChange = Type.Partial(Type.Object(terms), {
  ...closed,
  minProperties: 1,
  title: 'DistributionChange',
})

const distributionMembers = {
  id: Uuid('The distribution.'),
  offering_id: Uuid('The offering.'),
  offering_name: Type.String({ examples: ['Harbour Bond 2031'] }),
  status: Type.Enum(distributionStatuses, {
    description:
      '`DRAFT`: can be calculated. `CALCULATING`: a worker calculates it. `CALCULATED`: waits for a second person. ' +
      '`APPROVED`: can be paid. `PAYING`: its files are for the bank. `CLOSED`: nothing is due or with the bank. ' +
      '`CANCELLED`: ended before it was paid.',
  }),
  ...terms,
  rate_per_token: orNull(terms.rate_per_token),
  total_amount: orNull(terms.total_amount, { examples: [null] }),
  schedule_id: orNull(Uuid('The coupon schedule that drafted it.', 'The coupon schedule.'), { examples: [null] }),
  period_number: orNull(Count('The number of the period in its schedule, from 1 on.', 1), { examples: [null] }),
  record_block: orNull(Type.String({ description: 'The block whose register counts.', examples: ['19000000'] })),
  supply: orNull(Units('All units after that block.')),
  holders: Count('Addresses with units.', 120),
  holders_without_account: Count('Addresses that no account has.', 1),
  amount: orNull(ExactAmount('All that is distributed; null until it is calculated.', '1500.00')),
  gross_amount: ExactAmount('The sum of all entitlements before tax.', '1499.98'),
  withheld_amount: ExactAmount('The tax that is withheld.', '0.00'),
  set_apart_amount: ExactAmount('For addresses that no account has.', '12.50'),
  remainder: orNull(ExactAmount('What rounding leaves: `amount` less `gross_amount`.', '0.02')),
  failure: orNull(Type.String({ description: 'Why the last calculation failed.' }), { examples: [null] }),
  is_filing: Type.Boolean({ description: 'Whether a worker still writes files for the bank.', examples: [false] }),
  files: Count('Files for the bank.', 1),
  created_at: Timestamp('When it was created.'),
  calculated_at: orNull(Timestamp('When it was calculated.')),
  approved_at: orNull(Timestamp('When a second person approved it.')),
  paying_at: orNull(Timestamp('When paying began.')),
  closed_at: orNull(Timestamp('When it was closed.')),
}

export const Distribution = Named('Distribution', distributionMembers)

export const DistributionEntitlement = Named('DistributionEntitlement', {
  ...entitlementMembers,
  account_id: orNull(Uuid('The investor; null if no account has the address.', 'The account.')),
  account_name: orNull(Type.String({ examples: ['Ada Lovelace'] })),
  country: orNull(CountryCode('The country whose tax rate applies.')),
  withholding_percent: Type.String({ examples: ['0'] }),
  status: Type.Enum(entitlementStatuses, {
    description:
      '`set_apart`: no account has the address. `nothing`: it rounds down to 0. `due`: goes into the next file. ' +
      '`sent`: the bank has it. `paid`: the bank debited it. `returned`: correct the account, then approve it.',
  }),
  left_out: orNull(Type.String({ description: 'Why the last file does not have it.' }), { examples: [null] }),
  failure: orNull(Type.String({ description: 'Why the bank returned it.' }), { examples: [null] }),
  burn_op_id: orNull(Uuid('The chain op that burns the units of a redemption.', 'The chain op.'), {
    examples: [null],
  }),
  changed_at: Timestamp('When the status last changed.'),
})

const StatusTotal = Named('EntitlementTotal', {
  status: Type.Enum(entitlementStatuses),
  count: Count('Number of entitlements.', 119),
  net_amount: ExactAmount('What they pay in all.', '1487.48'),
})

export const DistributionPreview = Named('DistributionPreview', {
  ...distributionMembers,
  totals: Type.Array(StatusTotal, { description: 'By status. With tax and remainder they add up to `amount`.' }),
  largest: Type.Array(DistributionEntitlement, { maxItems: 10, description: 'The ten largest, by gross amount.' }),
  since_previous: orNull(
    Closed({
      distribution_id: Uuid('The last approved distribution before it.', 'The distribution.'),
      record_at: Timestamp('Its record time.'),
      holders_added: Count('Addresses that had no units then.', 3),
      holders_removed: Count('Addresses that have none any more.', 1),
      holders_changed: Count('Addresses with another number of units.', 7),
    }),
    { examples: [null], description: 'What has changed since the previous distribution of the offering.' },
  ),
  burns: Type.Object(
    {
      waiting: Count('Paid and not burnt yet.', 0),
      done: Count('Burnt.', 0),
      failed: Count('Ended without a burn: propose a token action.', 0),
    },
    { ...closed, description: 'The burns of a redemption.' },
  ),
})

export const DistributionFile = Named('DistributionFile', {
  id: Uuid('The file of a distribution.'),
  distribution_id: Uuid('The distribution.'),
  number: Count('Its number in the distribution, from 1 on.', 1),
  status: Type.Enum(['open', 'downloaded'] as const, { description: '`downloaded`: its transfers are sent.' }),
  transfers: Count('Number of transfers.', 119),
  amount: ExactAmount('Their sum.', '1487.48'),
  currency: Type.String({ examples: ['EUR'] }),
  created_at: Timestamp('When it was written.'),
  downloaded_at: orNull(Timestamp('When it was first downloaded.'), { examples: [null] }),
})
