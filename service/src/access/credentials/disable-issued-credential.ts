import type { Transaction } from '../../platform/postgres/transaction.ts'
import { type CredentialKey, disableLockedCredential, lockCredential } from './credential.sql.ts'

/**
 * Stops issuing tokens to the credential. Every process rejects the tokens issued so far within seconds. Returns
 * undefined if the tenant does not have the credential.
 */
export async function disableIssuedCredential(
  tx: Transaction,
  key: CredentialKey,
): Promise<'disabled' | 'already disabled' | undefined> {
  const credential = await lockCredential(tx, key)
  if (!credential) return undefined
  if (credential.disabledAt) return 'already disabled'
  await disableLockedCredential(tx, key)
  return 'disabled'
}
