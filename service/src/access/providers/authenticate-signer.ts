import type { SignedServices } from '../../platform/api/declare/services.ts'
import type { Sender, SignedRequest } from '../../platform/api/declare/signed-request.ts'
import { isUuid } from '../../platform/base/ids.ts'
import { inDirectoryTransaction, inTenantTransaction } from '../../platform/postgres/cells/tenant-transaction.ts'
import type { ProviderRow, SummaryOf } from './provider.sql.ts'
import { findTenantOfProvider, isTenantEnabled } from './provider-directory.sql.ts'
import { providerSecretContext } from './provider-secret-context.ts'
import type { Providers } from './providers.ts'

/** The provider that signed a request. */
export type SendingProvider<Row extends ProviderRow> = Sender &
  SummaryOf<Row> & {
    /** True if its notifications must report real events and not those of a sandbox. */
    readonly isLive: boolean
  }

/**
 * Returns the provider that signed the request, or undefined if the signature is not valid. The provider id in the path
 * is not secret: the directory maps it to a tenant and cell, and only a signature with one of the secrets stored there
 * authenticates the request.
 */
export async function authenticateSigner<Row extends ProviderRow>(
  request: SignedRequest,
  services: SignedServices,
  { type, table }: Pick<Providers<Row>, 'type' | 'table'>,
  isSigned: (kind: Row['kind'], request: SignedRequest, secrets: readonly string[], now: Date) => boolean,
): Promise<SendingProvider<Row> | undefined> {
  const providerId = request.params['providerId']?.toLowerCase() ?? ''
  if (!isUuid(providerId)) return undefined
  const { databases } = services
  const tenantId = await inDirectoryTransaction(databases, { providerId, access: 'read' }, (tx) =>
    findTenantOfProvider(tx, type, providerId),
  )
  if (!tenantId) return undefined
  const isEnabled = await inDirectoryTransaction(databases, { tenantId, access: 'read' }, (tx) =>
    isTenantEnabled(tx, tenantId),
  )
  const now = services.clock()
  const found = await inTenantTransaction(services, { tenantId, access: 'read' }, async (tx) => {
    const provider = await table.find(tx, { tenantId, providerId })
    if (!provider) return undefined
    const vault = services.vaults.of(tx, tenantId)
    const open = (box: Buffer) => vault.open(box, providerSecretContext(type, providerId))
    return { provider, secrets: await Promise.all(validSecrets(provider, now).map(open)) }
  })
  if (!found || !isEnabled || found.provider.disabledAt) return undefined
  if (!isSigned(found.provider.kind, request, found.secrets, now)) return undefined
  const { secret: _secret, previousSecret: _previous, ...summary } = found.provider
  return { ...summary, tenantId, isLive: services.isLive }
}

function validSecrets({ secret, previousSecret, previousSecretEndsAt }: ProviderRow, now: Date): Buffer[] {
  return previousSecret && previousSecretEndsAt && previousSecretEndsAt > now ? [secret, previousSecret] : [secret]
}
