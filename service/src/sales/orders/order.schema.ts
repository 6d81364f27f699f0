import { Type } from 'typebox'
import { Named, orNull, SomeUnits, Timestamp, Units, Uuid } from '../../platform/api/declare/fields.ts'
import { AccountSummary } from '../accounts/account.schema.ts'
import { OfferingSummary } from '../offerings/offering.schema.ts'

export const orderStatuses = ['ORDERED', 'PAID', 'NOPAYMENT', 'READYTOMINT', 'MINTING', 'MINTED', 'CANCELLED'] as const
export const paymentProviders = ['bank_transfer', 'stripe', 'checkout', 'tokensale'] as const

export const OrderPath = Type.Object({ offeringId: Uuid('The offering.'), orderId: Uuid('The order.') })

export const OrderSummary = Type.Object({
  id: Uuid('The order.'),
  units: Units('The amount ordered, in the smallest token unit.'),
  total_amount: Type.Number({
    description: 'The price of the order: at least one minor unit of the currency, unless the price per token is 0.',
    examples: [125],
  }),
  payment_provider: orNull(Type.Enum(paymentProviders)),
  paid_at: orNull(Timestamp('When the order was paid in full.'), { examples: [null] }),
  paid_amount: Type.Number({ description: 'The amount paid so far; 0 before the first payment.', examples: [0] }),
  currency: Type.String({ examples: ['EUR'] }),
  status: Type.Enum(orderStatuses),
})

const members = OrderSummary.properties

export const OrderOfOffering = Named('OrderOfOffering', { ...members, account: AccountSummary })
export const OrderOfAccount = Named('OrderOfAccount', { ...members, offering: OfferingSummary })

export const Order = Named('Order', {
  ...members,
  account: AccountSummary,
  offering: OfferingSummary,
  payment_bank_account: Named(
    'PaymentBankAccount',
    {
      account_holder: Type.String({ examples: ['Harbour Issuer GmbH'] }),
      bank: Type.String({ examples: ['Testbank'] }),
      bic: Type.String({ examples: ['COBADEFFXXX'] }),
      iban: Type.String({ examples: ['DE89370400440532013000'] }),
      currency: Type.String({ examples: ['EUR'] }),
    },
    { description: 'The bank account to pay into.' },
  ),
  created_at: Timestamp('When the order was created.'),
})

/** Allows other members, without effect: the contract names two members "at least". */
export const NewOrder = Type.Object(
  {
    account_id: Uuid('The account that buys.', 'The account.'),
    units: SomeUnits(
      'The amount to buy, in the smallest token unit: amount * 10^decimals. At most 2^256 - 1.',
      '1000000000',
    ),
    payment_provider: Type.Optional(
      orNull(Type.Enum(paymentProviders), {
        default: null,
        description: 'How the investor pays; null is the same as absent.',
        examples: ['bank_transfer'],
      }),
    ),
  },
  { title: 'NewOrder' },
)

export const OrderCancellation = Named('OrderCancellation', {
  id: Uuid('The order.'),
  status: Type.Literal('CANCELLED'),
  cancellation_date: Timestamp('When the order was cancelled.'),
})
