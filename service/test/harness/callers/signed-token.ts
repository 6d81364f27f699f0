import { scopes } from '../../../src/platform/api/declare/scopes.ts'
import { issueToken } from '../../../src/platform/api/pipeline/access-token.ts'
import type { TestInstallation } from '../installation/test-installation.ts'

/** Returns a token as POST /auth issues it, with every scope, for runs that outlast one token. */
export async function signedToken(
  installation: TestInstallation,
  { tenantId, clientId }: { tenantId: string; clientId: string },
): Promise<string> {
  const issuedAt = Math.floor(Date.now() / 1000)
  const claims = { clientId, tenantId, scopes, apiVersion: '2026-07-02', issuedAt }
  return (await issueToken(installation.config.tokenSigningKeys, claims)).token
}
