import { Type } from 'typebox'
import { CalendarDate, CurrencyCode, orNull, Timestamp, Uuid } from '../../platform/api/declare/fields.ts'

export const payoutStatuses = ['open', 'downloaded', 'discarded'] as const
export const leftOutReasons = [
  'iban_invalid',
  'iban_outside_sepa',
  'name_empty',
  'amount_too_large',
  'currency_not_supported',
  'collection_iban_invalid',
  'collection_name_empty',
] as const

const closed = { additionalProperties: false }

export const PayoutPath = Type.Object({ payoutId: Uuid('The payout.') })

export const NewPayout = Type.Object(
  {
    currency: Type.Optional(CurrencyCode('Only refunds in this currency. Default: all currencies.')),
    execution_date: Type.Optional(
      Type.String({
        format: 'date',
        description: 'When the bank should pay: today or later. Default: the day of the download.',
        examples: ['2099-07-02'],
      }),
    ),
  },
  { ...closed, title: 'NewPayout' },
)

const Count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description, examples: [example] })

const members = {
  id: Uuid('The payout.'),
  status: Type.Enum(payoutStatuses, {
    description:
      '`open`: the file was not downloaded yet. `downloaded`: its refunds are sent. `discarded`: its refunds are ' +
      'available for another payout.',
  }),
  currency: orNull(Type.String({ description: 'The currency it is limited to; null for all.' }), { examples: [null] }),
  execution_date: orNull(CalendarDate('When the bank should pay; null for the day of the download.'), {
    examples: [null],
  }),
  count: Count('Number of refunds.', 2),
  sums: Type.Array(
    Type.Object({
      currency: Type.String({ examples: ['EUR'] }),
      amount: Type.String({ description: 'An exact decimal.', examples: ['250.00'] }),
      count: Count('Number of refunds in this currency.', 2),
    }),
    { description: 'The total by currency.' },
  ),
  refunds: Type.Object(
    {
      due: Count('Not sent yet.', 0),
      sent: Count('Sent to the bank and not settled yet.', 2),
      settled: Count('Debited by the bank.', 0),
      failed: Count('Returned by the bank.', 0),
      withdrawn: Count('Applied to their orders instead, before the download.', 0),
    },
    { ...closed, title: 'PayoutRefunds', description: 'Number of its refunds by current status.' },
  ),
  created_at: Timestamp('When the payout was created.'),
  downloaded_at: orNull(Timestamp('When the file was first downloaded.')),
  discarded_at: orNull(Timestamp('When the payout was discarded.'), { examples: [null] }),
}

export const Payout = Type.Object(members, { ...closed, title: 'Payout' })

const LeftOutRefund = Type.Object(
  {
    refund_id: Uuid('The refund.'),
    reason: Type.Enum(leftOutReasons),
    message: Type.String({ description: 'What to do about it.', examples: ['Correct the IBAN.'] }),
  },
  { ...closed, title: 'LeftOutRefund' },
)

export const CreatedPayout = Type.Object(
  {
    ...members,
    left_out: Type.Array(LeftOutRefund, { description: 'Refunds that stay due because a file cannot contain them.' }),
    has_more: Type.Boolean({
      description: 'Whether more refunds are due than fit: create another payout.',
      examples: [false],
    }),
  },
  { ...closed, title: 'CreatedPayout' },
)
