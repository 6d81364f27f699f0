import { Type } from 'typebox'
import { CalendarDate, CurrencyCode, Named, orNull, Timestamp, Uuid } from '../../platform/api/declare/fields.ts'
import { Masked } from '../../platform/api/declare/masked.ts'
import { refundStatuses } from '../../sales/refunds/refund.schema.ts'

export const payoutStatuses = ['open', 'released', 'downloaded', 'discarded'] as const
export const creditorSources = ['payer', 'account'] as const
export const leftOutReasons = [
  'iban_invalid',
  'iban_outside_sepa',
  'name_empty',
  'amount_too_large',
  'currency_not_supported',
  'collection_iban_invalid',
  'collection_name_empty',
  'bank_account_changed',
  'holder_unlike_investor',
  'payers_differ',
  'not_covered',
] as const

export const PayoutPath = Type.Object({ payoutId: Uuid('The payout.') })

export const NewPayout = Named('NewPayout', {
  currency: Type.Optional(CurrencyCode('Only refunds in this currency. Default: all currencies.')),
  execution_date: Type.Optional(
    Type.String({
      format: 'date',
      description: 'When the bank should pay: today or later. Default: the day of the download.',
      examples: ['2099-07-02'],
    }),
  ),
})

const Count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description, examples: [example] })

const members = {
  id: Uuid('The payout.'),
  status: Type.Enum(payoutStatuses, {
    description:
      '`open`: waits for its release. `released`: the file can be downloaded. `downloaded`: its refunds are sent. ' +
      '`discarded`: its refunds are available for another payout.',
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
  refunds: Named(
    'PayoutRefunds',
    {
      due: Count('Not sent yet.', 0),
      sent: Count('Sent to the bank and not settled yet.', 2),
      settled: Count('Debited by the bank.', 0),
      failed: Count('Returned by the bank.', 0),
      withdrawn: Count('Applied to their orders instead, before the download.', 0),
    },
    { description: 'Number of its refunds by current status.' },
  ),
  sent_before: Count(
    'Number of its due refunds that were sent before and that no bank entry has returned: the payee may have them.',
    0,
  ),
  earlier_payouts: Type.Array(
    Named('EarlierPayout', {
      payout_id: Uuid('The earlier payout.'),
      downloaded_at: Timestamp('When its file was downloaded.'),
      refunds: Count('Number of refunds that both payouts contain.', 1),
    }),
    { description: 'Downloaded payouts that contained one of its refunds before: the latest 20.', examples: [[]] },
  ),
  created_at: Timestamp('When the payout was created.'),
  released_at: orNull(Timestamp('When the payout was released.')),
  downloaded_at: orNull(Timestamp('When the file was first downloaded.')),
  discarded_at: orNull(Timestamp('When the payout was discarded.'), { examples: [null] }),
}

export const Payout = Named('Payout', members)

const LeftOutRefund = Named('LeftOutRefund', {
  refund_id: Uuid('The refund.'),
  reason: Type.Enum(leftOutReasons),
  message: Type.String({ description: 'What to do about it.', examples: ['Correct the IBAN.'] }),
})

export const CreatedPayout = Named('CreatedPayout', {
  ...members,
  left_out: Type.Array(LeftOutRefund, {
    description:
      'Refunds that stay due: a file cannot contain them, or a second person must approve the account first.',
  }),
  has_more: Type.Boolean({
    description: 'Whether more refunds are due than fit: create another payout.',
    examples: [false],
  }),
})

export const PayoutTransfer = Named('PayoutTransfer', {
  refund_id: Uuid('The refund.'),
  order_id: orNull(Uuid('The order; null if an unassigned payment goes back to its payer.', 'The order.')),
  amount: Type.String({ description: 'The exact amount, in `currency`.', examples: ['12.50'] }),
  currency: Type.String({ examples: ['EUR'] }),
  status: Type.Enum(refundStatuses, {
    description: 'The current status of the refund. A `withdrawn` one is not in the file.',
  }),
  creditor_name: Type.String({ description: 'As the file names the creditor.', examples: ['Ada Lovelace'] }),
  creditor_iban: Masked('iban', 'The IBAN that is paid.', 'DE89370400440532013000'),
  source: Type.Enum(creditorSources, {
    description:
      '`payer`: the account that the payment came from. `account`: the bank account of the investor account, as it ' +
      'was when the payout was created.',
  }),
  may_be_paid: Type.Boolean({
    description: 'The refund was sent before, and no bank entry says that it came back.',
    examples: [false],
  }),
  earlier_payouts: Type.Array(
    Named('EarlierTransfer', {
      payout_id: Uuid('The earlier payout.'),
      downloaded_at: Timestamp('When its file was downloaded.'),
    }),
    { description: 'Other payouts whose files contain this refund.', examples: [[]] },
  ),
})
