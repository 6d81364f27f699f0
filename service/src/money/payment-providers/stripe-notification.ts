import { type Static, Type } from 'typebox'
import { validationFailed } from '../../platform/api/errors/errors.ts'
import { bodyValidator } from '../../platform/api/pipeline/validation.ts'
import type { IncomingMoney } from '../payments/book-money.ts'

/** What of Stripe's event we read; it has much more in it, and may get more. */
const Succeeded = Type.Object({
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
type Succeeded = Static<typeof Succeeded>

const failuresOf = bodyValidator(Succeeded)

/** The money that an event of Stripe tells of; undefined for all other events, which are none of our business. */
export function moneyOfStripe(event: { type: string }): IncomingMoney | undefined {
  if (event.type !== 'payment_intent.succeeded') return undefined
  const failures = failuresOf(event)
  if (failures.length > 0) throw validationFailed(failures)
  const { created, data } = event as unknown as Succeeded
  const { id, amount_received: amount, currency: small, metadata } = data.object
  const currency = small.toUpperCase()
  return {
    provider: 'stripe',
    reference: id,
    paymentReference: metadata?.payment_reference ?? null,
    amount: decimalOf(amount, stripeDigits(currency)),
    currency,
    receivedAt: new Date(created * 1000),
    payer: { name: null, iban: null },
    text: null,
  }
}

function decimalOf(amount: number, digits: number): string {
  const text = String(amount).padStart(digits + 1, '0')
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/**
 * Stripe counts in coins of its own list, which is not that of ISO 4217: krónur of Iceland and shillings of Uganda,
 * which have no coins any more, still come in hundredths.
 */
function stripeDigits(currency: string): number {
  if (withoutCoins.has(currency)) return 0
  return withThousandths.has(currency) ? 3 : 2
}

const withoutCoins: ReadonlySet<string> = new Set([
  'BIF', 'CLP', 'DJF', 'GNF', 'JPY', 'KMF', 'KRW', 'MGA', 'PYG', 'RWF', 'VND', 'VUV', 'XAF', 'XOF', 'XPF',
]) // biome-ignore format: a list reads better dense
const withThousandths: ReadonlySet<string> = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND'])
