import type { KeyRing } from '../../platform/base/key-ring.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { type CredentialKey, expireSecrets, insertSecret, lockCredential, revokeTokens } from './credential.sql.ts'
import { newSecret, sealSecret } from './credential-secret.ts'
import type { IssuedCredential } from './issue-credential.ts'

export type Rotation = IssuedCredential | { refused: 'no such credential' | 'disabled' }

/**
 * A second secret beside the one in use, which goes on working for the overlap, so that an integrator changes over
 * without a gap. With an overlap of 0 it ends at once and the tokens that were got with it are refused too: that is for
 * a secret that leaked.
 */
export async function rotateSecret(
  tx: Transaction,
  peppers: KeyRing,
  { tenantId, clientId, overlapSeconds }: CredentialKey & { overlapSeconds: number },
): Promise<Rotation> {
  const credential = await lockCredential(tx, { tenantId, clientId })
  if (!credential) return { refused: 'no such credential' }
  if (credential.disabledAt) return { refused: 'disabled' }
  const clientSecret = newSecret()
  await expireSecrets(tx, { tenantId, clientId, inSeconds: overlapSeconds })
  await insertSecret(tx, { tenantId, clientId, ...sealSecret(peppers, clientSecret) })
  if (overlapSeconds === 0) await revokeTokens(tx, { tenantId, clientId })
  return { clientId, clientSecret }
}
