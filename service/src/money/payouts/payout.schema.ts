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
    currency: Type.Optional(CurrencyCode('Only refunds in this currency; all where it is left out.')),
    execution_date: Type.Optional(
      Type.String({
        format: 'date',
        description: 'When the bank shall pay, not before today; the day of the download where it is left out.',
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
      '`open`: nobody has the file yet. `downloaded`: the refunds in it are sent. `discarded`: they are free.',
  }),
  currency: orNull(Type.String({ description: 'The one it was made for; null for all.' }), { examples: [null] }),
  execution_date: orNull(CalendarDate('When the bank shall pay; null for the day of the download.'), {
    examples: [null],
  }),
  count: Count('How many refunds are in it.', 2),
  sums: Type.Array(
    Type.Object({
      currency: Type.String({ examples: ['EUR'] }),
      amount: Type.String({ description: 'Exact.', examples: ['250.00'] }),
      count: Count('How many refunds that is.', 2),
    }),
    { description: 'What it pays, by currency.' },
  ),
  refunds: Type.Object(
    {
      due: Count('Not sent yet.', 0),
      sent: Count('With the bank: what is still unsettled.', 2),
      settled: Count('Arrived.', 0),
      failed: Count('Came back.', 0),
      withdrawn: Count('Applied to their orders after all, before the download.', 0),
    },
    { ...closed, title: 'PayoutRefunds', description: 'How far its refunds have come, counted by their status now.' },
  ),
  created_at: Timestamp('When it was made.'),
  downloaded_at: orNull(Timestamp('When the file was first downloaded.')),
  discarded_at: orNull(Timestamp('When it was discarded.'), { examples: [null] }),
}

export const Payout = Type.Object(members, { ...closed, title: 'Payout' })

const LeftOutRefund = Type.Object(
  {
    refund_id: Uuid('The refund.'),
    reason: Type.Enum(leftOutReasons),
    message: Type.String({ description: 'What to do about it.', examples: ['Have the IBAN corrected.'] }),
  },
  { ...closed, title: 'LeftOutRefund' },
)

export const CreatedPayout = Type.Object(
  {
    ...members,
    left_out: Type.Array(LeftOutRefund, { description: 'What is due and stays due, since a file cannot carry it.' }),
    has_more: Type.Boolean({ description: 'Whether more is due than fits: make another payout.', examples: [false] }),
  },
  { ...closed, title: 'CreatedPayout' },
)
