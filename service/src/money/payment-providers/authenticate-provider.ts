import type { SignedServices } from '../../platform/api/declare/services.ts'
import type { Sender, SignedRequest } from '../../platform/api/declare/signed-request.ts'
import { isUuid } from '../../platform/base/ids.ts'
import { inDirectoryTransaction, inTenantTransaction } from '../../platform/db/tenant-transaction.ts'
import {
  findPaymentProvider,
  findTenantOfProvider,
  isTenantEnabled,
  type PaymentProviderRow,
} from './payment-provider.sql.ts'
import { signingSecretContext } from './signing-secret.ts'
import { hasStandardSignature } from './standard-signature.ts'
import { hasStripeSignature } from './stripe-signature.ts'

export interface SendingProvider extends Sender, Pick<PaymentProviderRow, 'kind' | 'name'> {
  /** Whether its payments must be real ones. */
  readonly isLive: boolean
}

/**
 * Returns the provider that signed the request, or undefined if the signature is not valid. The provider id in the path
 * is not secret: the directory maps it to a tenant and cell, and only a signature with one of the secrets stored there
 * authenticates the request.
 */
export async function authenticateProvider(
  request: SignedRequest,
  services: SignedServices,
): Promise<SendingProvider | undefined> {
  const providerId = request.params['providerId']?.toLowerCase() ?? ''
  if (!isUuid(providerId)) return undefined
  const { databases } = services
  const tenantId = await inDirectoryTransaction(databases, { providerId, access: 'read' }, (tx) =>
    findTenantOfProvider(tx, providerId),
  )
  if (!tenantId) return undefined
  const isEnabled = await inDirectoryTransaction(databases, { tenantId, access: 'read' }, (tx) =>
    isTenantEnabled(tx, tenantId),
  )
  const now = services.clock()
  const found = await inTenantTransaction(services, { tenantId, access: 'read' }, async (tx) => {
    const provider = await findPaymentProvider(tx, { tenantId, providerId })
    if (!provider) return undefined
    const vault = services.vaults.of(tx, tenantId)
    const open = (box: Buffer) => vault.open(box, signingSecretContext(providerId))
    return { provider, secrets: await Promise.all(validSecrets(provider, now).map(open)) }
  })
  if (!found || !isEnabled || found.provider.disabledAt) return undefined
  const { kind, name } = found.provider
  const isSigned =
    kind === 'stripe' ? hasStripeSignature(request, found.secrets, now) : hasStandardSignature(request, found.secrets)
  return isSigned ? { tenantId, id: providerId, kind, name, isLive: services.isLive } : undefined
}

function validSecrets({ secret, previousSecret, previousSecretEndsAt }: PaymentProviderRow, now: Date): Buffer[] {
  return previousSecret && previousSecretEndsAt && previousSecretEndsAt > now ? [secret, previousSecret] : [secret]
}
