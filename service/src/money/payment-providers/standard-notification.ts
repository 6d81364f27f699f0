import { type Static, Type } from 'typebox'
import { CurrencyCode, Text, Timestamp } from '../../platform/api/declare/fields.ts'
import { validationFailed } from '../../platform/api/errors/errors.ts'
import { bodyValidator } from '../../platform/api/pipeline/validation.ts'
import type { IncomingMoney } from '../payments/book-money.ts'

const closed = { additionalProperties: false }

const PaymentReceived = Type.Object(
  {
    type: Type.Literal('payment.received'),
    timestamp: Timestamp('When this is told.'),
    data: Type.Object(
      {
        reference: Text(1, 150),
        payment_reference: Text(1, 500),
        amount: Type.String({
          pattern: '^(?!0(\\.0*)?$)(0|[1-9][0-9]{0,14})(\\.[0-9]{1,6})?$',
          'x-meaning': 'be a decimal number above 0 without sign or exponent, such as "12.50"',
        }),
        currency: CurrencyCode('ISO 4217.'),
        received_at: Timestamp('When the money arrived.'),
      },
      closed,
    ),
  },
  closed,
)
type PaymentReceived = Static<typeof PaymentReceived>

const failuresOf = bodyValidator(PaymentReceived)

/** The money that a provider's notice tells of; undefined for notices of other types. */
export function moneyOfStandard(notice: { type: string }, name: string): IncomingMoney | undefined {
  if (notice.type !== 'payment.received') return undefined
  const failures = failuresOf(notice)
  if (failures.length > 0) throw validationFailed(failures)
  const { data } = notice as PaymentReceived
  return {
    // The contract knows four ways to pay, and this is the one of them that is a shop of somebody else.
    provider: 'checkout',
    // Two providers may count alike.
    reference: `${name}:${data.reference}`,
    paymentReference: data.payment_reference,
    amount: data.amount,
    currency: data.currency,
    receivedAt: new Date(data.received_at),
    payer: { name: null, iban: null },
    text: null,
  }
}
