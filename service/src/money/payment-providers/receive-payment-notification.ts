import { Type } from 'typebox'
import { Named } from '../../platform/api/declare/fields.ts'
import { signedOperation } from '../../platform/api/declare/operation.ts'
import { bookPayment } from '../payments/book-payment.ts'
import { paymentProviderErrors } from './payment-provider.errors.ts'
import { ProviderPath } from './payment-provider.schema.ts'
import { recordNotification } from './payment-provider.sql.ts'
import { authenticatePaymentProvider } from './payment-provider-type.ts'
import { readStandardNotification } from './standard-notification.ts'
import { readStripeNotification } from './stripe-notification.ts'

/** Allows additional members, since they depend on the provider's kind, which is known only after authentication. */
const PaymentNotification = Type.Object(
  { type: Type.String({ minLength: 1, maxLength: 200, description: 'The type of the event.' }) },
  { title: 'PaymentNotification', description: 'The event in the format of the provider.' },
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
  livemode: false,
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
    id: 'receivePaymentNotification',
    summary: 'Receive a payment notification',
    description:
      'For payment providers, not for integrators. The provider signs the body, at most five minutes ago, either as ' +
      'Stripe does (`Stripe-Signature`) or as Standard Webhooks specifies (`webhook-id`, `webhook-timestamp`, ' +
      '`webhook-signature`). The payment is booked on the order that its payment reference names; if it names none, ' +
      'it becomes an unassigned payment for an operator to assign. Sending the same payment again changes nothing. ' +
      'Notifications of other types are accepted and ignored. In live, Stripe must report real payments ' +
      '(`livemode` is true); elsewhere test payments.',
    tag: 'Payment notifications',
    method: 'POST',
    path: '/payment-notifications/:providerId',
    scopes: 'signature',
    // The payment's reference makes it idempotent.
    idempotency: 'none',
    params: ProviderPath,
    body: PaymentNotification,
    bodyExamples: { standard: standardExample, stripe: stripeExample },
    success: {
      status: 200,
      body: Named('PaymentNotificationResult', {
        outcome: Type.Enum(['booked', 'unassigned', 'ignored'] as const, {
          description:
            '`booked`: on an order. `unassigned`: an operator has to assign it. `ignored`: it reports no payment.',
        }),
      }),
    },
    isExtension: true,
    errors: [paymentProviderErrors.payment_mode_mismatch],
  },
  authenticatePaymentProvider,
  async ({ body }, { tenantId, tx, vault, sender, now }) => {
    await recordNotification(tx, { tenantId, providerId: sender.id }, now)
    const payment =
      sender.kind === 'stripe' ? readStripeNotification(body, sender) : readStandardNotification(body, sender.name)
    if (!payment) return { outcome: 'ignored' as const }
    const booked = await bookPayment(tx, vault, tenantId, payment)
    return { outcome: booked.kind === 'payment' ? ('booked' as const) : ('unassigned' as const) }
  },
)
