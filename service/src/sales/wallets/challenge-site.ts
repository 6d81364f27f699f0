import type { TenantContext } from '../../platform/api/declare/operation.ts'
import { walletProofUrlOf } from './wallet-proof-url.ts'

/** Site of a challenge. Wallets warn an owner who is asked to sign it on another site. */
export interface ChallengeSite {
  readonly domain: string
  readonly uri: string
}

/**
 * Returns the tenant's own site, or that of the settings. Ignores the host of the request, which its sender chooses.
 */
export async function challengeSiteOf(
  context: Pick<TenantContext, 'tx' | 'tenantId' | 'walletProofUrl'>,
): Promise<ChallengeSite> {
  const { host, origin } = new URL(await walletProofUrlOf(context))
  return { domain: host, uri: origin }
}
