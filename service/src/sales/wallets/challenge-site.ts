import type { TenantContext } from '../../platform/api/declare/operation.ts'
import { walletProofUrlOf } from './wallet-proof-url.ts'

/** The site that a challenge is for. Wallets warn an owner who is asked to sign it on another site. */
export interface ChallengeSite {
  readonly domain: string
  readonly uri: string
}

/** The tenant's own site, or the one of the settings. Never the host of the request, which its sender chooses. */
export async function challengeSiteOf(
  context: Pick<TenantContext, 'tx' | 'tenantId' | 'walletProofUrl'>,
): Promise<ChallengeSite> {
  const { host, origin } = new URL(await walletProofUrlOf(context))
  return { domain: host, uri: origin }
}
