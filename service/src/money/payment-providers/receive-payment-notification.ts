import { Type } from 'typebox'
import { signedOperation } from '../../platform/api/declare/operation.ts'
import { bookMoney } from '../payments/book-money.ts'
import { findProvider } from './find-provider.ts'
import { ProviderPath } from './payment-provider.schema.ts'
import { moneyOfStandard } from './standard-notification.ts'
import { moneyOfStripe } from './stripe-notification.ts'

/** Open, since each kind has members of its own; those that count are checked when the sender is known. */
const Notice = Type.Object(
  { type: Type.String({ minLength: 1, maxLength: 200, description: 'What it tells of.' }) },
  { title: 'PaymentNotice', description: 'As the provider writes it.' },
)

const standardExample = {
  type: 'payment.received',
  timestamp: '2026-07-02T10:00:05.000Z',
  data: {
    reference: 'A-1001',
    payment_reference: 'RF18539007547034',
    amount: '12.50',
    currency: 'EUR',
    received_at: '2026-07-02T10:00:00.000Z',
  },
}

const stripeExample = {
  id: 'evt_1',
  type: 'payment_intent.succeeded',
  created: 1_782_986_400,
  data: {
    object: {
      id: 'pi_1',
      amount_received: 1250,
      currency: 'eur',
      metadata: { payment_reference: 'RF18539007547034' },
    },
  },
}

export const receivePaymentNotification = signedOperation(
  {
    id: 'receiveNotice',
    summary: 'Tell of a payment',
    description:
      'For payment providers, not for integrators. The body is signed, as Stripe does it (`Stripe-Signature`) or as ' +
      'Standard Webhooks says (`webhook-id`, `webhook-timestamp`, `webhook-signature`), at most five minutes ago. ' +
      'The money is given to the order that its payment reference names; where none fits, an operator decides. The ' +
      'same payment told of again changes nothing. Notices of other types are taken and ignored.',
    tag: 'Payment notices',
    method: 'POST',
    path: '/payment-notices/:providerId',
    scopes: 'signature',
    // The reference of the payment is the key.
    idempotency: 'none',
    params: ProviderPath,
    body: Notice,
    bodyExamples: { standard: standardExample, stripe: stripeExample },
    success: {
      status: 200,
      body: Type.Object(
        {
          outcome: Type.Enum(['booked', 'waiting', 'ignored'] as const, {
            description: '`booked`: given to an order. `waiting`: an operator decides. `ignored`: tells of no payment.',
          }),
        },
        { additionalProperties: false, title: 'NoticeOutcome' },
      ),
    },
    isExtension: true,
    errors: [],
  },
  findProvider,
  async ({ body }, { tenantId, tx, vault, sender }) => {
    const money = sender.kind === 'stripe' ? moneyOfStripe(body) : moneyOfStandard(body, sender.name)
    if (!money) return { outcome: 'ignored' as const }
    const booked = await bookMoney(tx, vault, tenantId, money)
    return { outcome: booked.kind === 'payment' ? ('booked' as const) : ('waiting' as const) }
  },
)
