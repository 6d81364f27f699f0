import { findTenantSettings } from '../../access/settings/tenant-settings.sql.ts'
import type { TenantContext } from '../../platform/api/declare/operation.ts'

/** Site of a challenge. Wallets warn an owner who is asked to sign it on another site. */
export interface ChallengeSite {
  readonly domain: string
  readonly uri: string
}

/**
 * Returns the tenant's own site, or the site of the settings. Ignores the host of the request, which its sender
 * chooses.
 */
export async function challengeSiteOf({
  tx,
  tenantId,
  walletProofUrl,
}: Pick<TenantContext, 'tx' | 'tenantId' | 'walletProofUrl'>): Promise<ChallengeSite> {
  const settings = await findTenantSettings(tx, tenantId)
  const { host, origin } = new URL(settings.wallet_proof_url ?? walletProofUrl)
  return { domain: host, uri: origin }
}
