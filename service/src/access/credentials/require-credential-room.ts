import type { Transaction } from '../../platform/postgres/transaction.ts'
import { lockKnownLimits } from '../tenants/tenant-limits.sql.ts'
import { requireWithinLimit } from '../tenants/tenant-limits.ts'
import { type CredentialKey, sumCredentials } from './credential.sql.ts'

/**
 * Throws if the tenant's limits have no room for a credential with this many requests per minute. Pass `clientId` if
 * the credential exists and only changes.
 */
export async function requireCredentialRoom(
  tx: Transaction,
  { tenantId, clientId, requestsPerMinute }: Partial<CredentialKey> & { tenantId: string; requestsPerMinute: number },
): Promise<void> {
  const limits = await lockKnownLimits(tx, tenantId)
  const used = await sumCredentials(tx, tenantId, clientId ?? null)
  if (clientId === undefined) requireWithinLimit('credentials', used.credentials + 1, limits.credentials)
  requireWithinLimit('requestsPerMinute', used.requestsPerMinute + requestsPerMinute, limits.requestsPerMinute)
}
