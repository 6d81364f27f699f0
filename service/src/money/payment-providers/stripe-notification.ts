import { type Static, Type } from 'typebox'
import { ApiError, validationFailed } from '../../platform/api/errors/errors.ts'
import { bodyValidator } from '../../platform/api/pipeline/validation.ts'
import { Money } from '../../platform/base/money.ts'
import type { IncomingPayment } from '../payments/book-payment.ts'
import { paymentProviderErrors } from './payment-provider.errors.ts'

/** The members of Stripe's event that we read. It has many more, and Stripe may add others. */
const PaymentIntentSucceeded = Type.Object({
  type: Type.Literal('payment_intent.succeeded'),
  livemode: Type.Boolean(),
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

/**
 * Returns the payment that Stripe's event reports, or undefined for all other event types, which we ignore. Throws for
 * a test payment in live, which would mint tokens without money, and for a real payment elsewhere. The response is 400
 * and not 200, so that Stripe shows the failure for the endpoint.
 */
export function readStripeNotification(
  event: { type: string },
  { isLive }: { isLive: boolean },
): IncomingPayment | undefined {
  if (event.type !== 'payment_intent.succeeded') return undefined
  const failures = validate(event)
  if (failures.length > 0) throw validationFailed(failures)
  const { created, data, livemode } = event as unknown as PaymentIntentSucceeded
  if (livemode !== isLive)
    throw new ApiError(
      paymentProviderErrors.payment_mode_mismatch,
      livemode
        ? 'This environment accepts test payments only: livemode must be false.'
        : 'This environment accepts real payments only: livemode must be true.',
    )
  const { id, amount_received: amount, currency: lowerCaseCurrency, metadata } = data.object
  const currency = lowerCaseCurrency.toUpperCase()
  return {
    provider: 'stripe',
    reference: id,
    paymentReference: metadata?.payment_reference ?? null,
    amount: Money.ofParts(BigInt(amount), stripeDigits(currency), currency),
    receivedAt: new Date(created * 1000),
    payer: { name: null, iban: null },
    text: null,
  }
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
