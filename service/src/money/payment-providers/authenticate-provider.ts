import { authenticateSigner } from '../../access/providers/authenticate-signer.ts'
import type { SignedServices } from '../../platform/api/declare/services.ts'
import type { Sender, SignedRequest } from '../../platform/api/declare/signed-request.ts'
import { hasStandardSignature } from '../../platform/api/declare/standard-signature.ts'
import { findPaymentProvider, type PaymentProviderRow } from './payment-provider.sql.ts'
import { signingSecretContext } from './signing-secret-context.ts'
import { hasStripeSignature } from './stripe-signature.ts'

export interface SendingProvider extends Sender, Pick<PaymentProviderRow, 'kind' | 'name'> {
  /** True if its payments must be real ones. */
  readonly isLive: boolean
}

/** Returns the payment provider that signed the request, or undefined if the signature is not valid. */
export async function authenticateProvider(
  request: SignedRequest,
  services: SignedServices,
): Promise<SendingProvider | undefined> {
  const found = await authenticateSigner(request, services, {
    type: 'payment_provider',
    find: findPaymentProvider,
    secretContext: signingSecretContext,
    isSigned: ({ kind }, signed, secrets, now) =>
      kind === 'stripe' ? hasStripeSignature(signed, secrets, now) : hasStandardSignature(signed, secrets),
  })
  if (!found) return undefined
  const { tenantId, id, provider } = found
  return { tenantId, id, kind: provider.kind, name: provider.name, isLive: services.isLive }
}
