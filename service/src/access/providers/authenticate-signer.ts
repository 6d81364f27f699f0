import type { SignedServices } from '../../platform/api/declare/services.ts'
import type { SignedRequest } from '../../platform/api/declare/signed-request.ts'
import { isUuid } from '../../platform/base/ids.ts'
import { inDirectoryTransaction, inTenantTransaction } from '../../platform/postgres/cells/tenant-transaction.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { findTenantOfProvider, isTenantEnabled, type ProviderKey, type ProviderType } from './provider-directory.sql.ts'

/** Columns of every provider that signs its notifications. Both secrets are encrypted. */
export interface SignerRow {
  secret: Buffer
  previousSecret: Buffer | null
  previousSecretEndsAt: Date | null
  disabledAt: Date | null
}

/** Lookup and signature check for the providers of one type. */
interface Signers<Row extends SignerRow> {
  readonly type: ProviderType
  readonly find: (tx: Transaction, key: ProviderKey) => Promise<Row | undefined>
  readonly secretContext: (providerId: string) => string
  readonly isSigned: (provider: Row, request: SignedRequest, secrets: readonly string[], now: Date) => boolean
}

/**
 * Returns the provider that signed the request, or undefined if the signature is not valid. The provider id in the path
 * is not secret: the directory maps it to a tenant and cell, and only a signature with one of the secrets stored there
 * authenticates the request.
 */
export async function authenticateSigner<Row extends SignerRow>(
  request: SignedRequest,
  services: SignedServices,
  signers: Signers<Row>,
): Promise<{ tenantId: string; id: string; provider: Row } | undefined> {
  const providerId = request.params['providerId']?.toLowerCase() ?? ''
  if (!isUuid(providerId)) return undefined
  const { databases } = services
  const tenantId = await inDirectoryTransaction(databases, { providerId, access: 'read' }, (tx) =>
    findTenantOfProvider(tx, signers.type, providerId),
  )
  if (!tenantId) return undefined
  const isEnabled = await inDirectoryTransaction(databases, { tenantId, access: 'read' }, (tx) =>
    isTenantEnabled(tx, tenantId),
  )
  const now = services.clock()
  const found = await inTenantTransaction(services, { tenantId, access: 'read' }, async (tx) => {
    const provider = await signers.find(tx, { tenantId, providerId })
    if (!provider) return undefined
    const vault = services.vaults.of(tx, tenantId)
    const open = (box: Buffer) => vault.open(box, signers.secretContext(providerId))
    return { provider, secrets: await Promise.all(validSecrets(provider, now).map(open)) }
  })
  if (!found || !isEnabled || found.provider.disabledAt) return undefined
  const { provider, secrets } = found
  return signers.isSigned(provider, request, secrets, now) ? { tenantId, id: providerId, provider } : undefined
}

function validSecrets({ secret, previousSecret, previousSecretEndsAt }: SignerRow, now: Date): Buffer[] {
  return previousSecret && previousSecretEndsAt && previousSecretEndsAt > now ? [secret, previousSecret] : [secret]
}
