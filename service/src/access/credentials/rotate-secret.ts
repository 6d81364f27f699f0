import type { KeyRing } from '../../platform/base/key-ring.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { type CredentialKey, expireSecrets, insertSecret, lockCredential, revokeTokens } from './credential.sql.ts'
import { hashSecret, newSecret } from './credential-secret.ts'
import type { IssuedCredential } from './issue-credential.ts'

export type Rotation = IssuedCredential | { rejected: 'not found' | 'disabled' }

/**
 * Adds a second secret. The current one keeps working for the overlap, so the integrator can switch without downtime.
 * With an overlap of 0, for a leaked secret, it expires at once and the tokens issued so far are revoked.
 */
export async function rotateSecret(
  tx: Transaction,
  peppers: KeyRing,
  { tenantId, clientId, overlapSeconds }: CredentialKey & { overlapSeconds: number },
): Promise<Rotation> {
  const credential = await lockCredential(tx, { tenantId, clientId })
  if (!credential) return { rejected: 'not found' }
  if (credential.disabledAt) return { rejected: 'disabled' }
  const clientSecret = newSecret()
  await expireSecrets(tx, { tenantId, clientId, inSeconds: overlapSeconds })
  await insertSecret(tx, { tenantId, clientId, ...hashSecret(peppers, clientSecret) })
  if (overlapSeconds === 0) await revokeTokens(tx, { tenantId, clientId })
  return { clientId, clientSecret }
}
