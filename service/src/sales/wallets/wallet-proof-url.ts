import { findTenantSettings } from '../../access/settings/tenant-settings.sql.ts'
import type { TenantContext } from '../../platform/api/declare/operation.ts'

/** Returns the site for wallet proofs of the tenant: its own, or that of the installation. */
export async function walletProofUrlOf({
  tx,
  tenantId,
  walletProofUrl,
}: Pick<TenantContext, 'tx' | 'tenantId' | 'walletProofUrl'>): Promise<string> {
  return (await findTenantSettings(tx, tenantId)).wallet_proof_url ?? walletProofUrl
}
