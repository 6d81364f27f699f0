import type { ProviderKey } from '../../access/providers/provider-directory.sql.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { kycProviderErrors } from './kyc-provider.errors.ts'
import { type KycProviderRow, lockKycProvider } from './kyc-provider.sql.ts'

/** Locks a provider for a change, and throws if it is disabled. */
export async function requireEnabledKycProvider(tx: Transaction, key: ProviderKey): Promise<KycProviderRow> {
  const provider = await lockKycProvider(tx, key)
  if (!provider) throw new ApiError(requestErrors.not_found, 'There is no such KYC provider.')
  if (provider.disabledAt)
    throw new ApiError(kycProviderErrors.kyc_provider_disabled, 'The KYC provider is disabled. Create a new one.')
  return provider
}
