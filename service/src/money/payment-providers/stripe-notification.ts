import { type Static, Type } from 'typebox'
import { validationFailed } from '../../platform/api/errors/errors.ts'
import { bodyValidator } from '../../platform/api/pipeline/validation.ts'
import type { IncomingPayment } from '../payments/book-payment.ts'

/** The members of Stripe's event that we read. It has many more, and Stripe may add others. */
const PaymentIntentSucceeded = Type.Object({
  type: Type.Literal('payment_intent.succeeded'),
  created: Type.Integer({ minimum: 1, maximum: 253_402_300_799 }),
  data: Type.Object({
    object: Type.Object({
      id: Type.String({ pattern: '^pi_[A-Za-z0-9_]{1,190}$', 'x-meaning': 'be the id of a payment intent' }),
      amount_received: Type.Integer({ minimum: 1, maximum: 999_999_999_999_999 }),
      currency: Type.String({ pattern: '^[A-Za-z]{3}$' }),
      metadata: Type.Optional(Type.Object({ payment_reference: Type.Optional(Type.String({ maxLength: 500 })) })),
    }),
  }),
})
type PaymentIntentSucceeded = Static<typeof PaymentIntentSucceeded>

const validate = bodyValidator(PaymentIntentSucceeded)

/** Returns the payment that Stripe's event reports, or undefined for all other event types, which we ignore. */
export function readStripeNotification(event: { type: string }): IncomingPayment | undefined {
  if (event.type !== 'payment_intent.succeeded') return undefined
  const failures = validate(event)
  if (failures.length > 0) throw validationFailed(failures)
  const { created, data } = event as unknown as PaymentIntentSucceeded
  const { id, amount_received: amount, currency: lowerCaseCurrency, metadata } = data.object
  const currency = lowerCaseCurrency.toUpperCase()
  return {
    provider: 'stripe',
    reference: id,
    paymentReference: metadata?.payment_reference ?? null,
    amount: toDecimal(amount, stripeDigits(currency)),
    currency,
    receivedAt: new Date(created * 1000),
    payer: { name: null, iban: null },
    text: null,
  }
}

function toDecimal(amount: number, digits: number): string {
  const text = String(amount).padStart(digits + 1, '0')
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/**
 * Decimal digits of Stripe's amounts. Stripe's list differs from ISO 4217: Icelandic krónur (ISK) and Ugandan shillings
 * (UGX) have no minor units, but Stripe still sends them in hundredths.
 */
function stripeDigits(currency: string): number {
  if (zeroDecimalCurrencies.has(currency)) return 0
  return threeDecimalCurrencies.has(currency) ? 3 : 2
}

const zeroDecimalCurrencies: ReadonlySet<string> = new Set([
  'BIF', 'CLP', 'DJF', 'GNF', 'JPY', 'KMF', 'KRW', 'MGA', 'PYG', 'RWF', 'VND', 'VUV', 'XAF', 'XOF', 'XPF',
]) // biome-ignore format: a list reads better dense
const threeDecimalCurrencies: ReadonlySet<string> = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND'])
