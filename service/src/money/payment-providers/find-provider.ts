import type { Sender, SignedRequest } from '../../platform/api/declare/operation.ts'
import type { SignedServices } from '../../platform/api/declare/services.ts'
import { isUuid } from '../../platform/base/ids.ts'
import { inDirectoryTransaction, inTenantTransaction } from '../../platform/db/tenant-transaction.ts'
import {
  findProviderWithSecrets,
  findTenantOfProvider,
  isTenantEnabled,
  type ProviderRow,
  type ProviderWithSecrets,
} from './payment-provider.sql.ts'
import { sealedSecret } from './signing-secret.ts'
import { isSignedByStandard } from './standard-signature.ts'
import { isSignedByStripe } from './stripe-signature.ts'

export interface SendingProvider extends Sender, Pick<ProviderRow, 'kind' | 'name'> {}

/**
 * The provider that has signed a notice. Its id, which is no secret, leads by the directory to a tenant and its cell;
 * only a signature with one of the secrets that are there makes the notice one of that tenant.
 */
export async function findProvider(
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
    const provider = await findProviderWithSecrets(tx, { tenantId, providerId })
    if (!provider) return undefined
    const vault = services.vaults.of(tx, tenantId)
    const open = (box: Buffer) => vault.open(box, sealedSecret(providerId))
    return { provider, secrets: await Promise.all(liveSecrets(provider, now).map(open)) }
  })
  if (!found || !isEnabled || found.provider.disabledAt) return undefined
  const { kind, name } = found.provider
  const isSigned =
    kind === 'stripe' ? isSignedByStripe(request, found.secrets, now) : isSignedByStandard(request, found.secrets)
  return isSigned ? { tenantId, id: providerId, kind, name } : undefined
}

function liveSecrets({ secret, previousSecret, previousEndsAt }: ProviderWithSecrets, now: Date): Buffer[] {
  return previousSecret && previousEndsAt && previousEndsAt > now ? [secret, previousSecret] : [secret]
}
