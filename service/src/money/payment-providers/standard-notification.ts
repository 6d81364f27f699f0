import { type Static, Type } from 'typebox'
import { Closed, CurrencyCode, Text, Timestamp } from '../../platform/api/declare/fields.ts'
import { validationFailed } from '../../platform/api/errors/errors.ts'
import { bodyValidator } from '../../platform/api/pipeline/validation.ts'
import { Money } from '../../platform/base/money.ts'
import type { IncomingPayment } from '../payments/book-payment.ts'

const PaymentReceived = Closed({
  type: Type.Literal('payment.received'),
  timestamp: Timestamp('When the provider sent the notification.'),
  data: Closed({
    reference: Text(1, 150),
    payment_reference: Text(1, 500),
    amount: Type.String({
      pattern: '^(?!0(\\.0*)?$)(0|[1-9][0-9]{0,14})(\\.[0-9]{1,6})?$',
      'x-meaning': 'be a decimal number above 0 without sign or exponent, such as "12.50"',
    }),
    currency: CurrencyCode('ISO 4217.'),
    received_at: Timestamp('When the provider received the payment.'),
    payer: Type.Optional(Closed({ name: Type.Optional(Text(1, 140)), iban: Text(15, 34) })),
  }),
})
type PaymentReceived = Static<typeof PaymentReceived>

const validate = bodyValidator(PaymentReceived)

/** Returns the payment that the notification reports, or undefined for other types of notification. */
export function readStandardNotification(
  notification: { type: string },
  providerName: string,
): IncomingPayment | undefined {
  if (notification.type !== 'payment.received') return undefined
  const failures = validate(notification)
  if (failures.length > 0) throw validationFailed(failures)
  const { data } = notification as PaymentReceived
  return {
    // The contract has four payment providers; of these, `checkout` is the one that fits any third-party checkout.
    provider: 'checkout',
    // The provider's name as prefix, since two providers may assign the same reference.
    reference: `${providerName}:${data.reference}`,
    paymentReference: data.payment_reference,
    amount: Money.parse(data.amount, data.currency),
    receivedAt: new Date(data.received_at),
    payer: { name: data.payer?.name ?? null, iban: data.payer?.iban ?? null },
    text: null,
  }
}
