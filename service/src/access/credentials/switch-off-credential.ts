import type { Transaction } from '../../platform/db/transaction.ts'
import { type CredentialKey, disableLockedCredential, lockCredential } from './credential.sql.ts'

/**
 * No new tokens, and those already issued are refused within seconds. Undefined where the tenant has no such
 * credential.
 */
export async function switchOffCredential(
  tx: Transaction,
  key: CredentialKey,
): Promise<'disabled' | 'already disabled' | undefined> {
  const credential = await lockCredential(tx, key)
  if (!credential) return undefined
  if (credential.disabledAt) return 'already disabled'
  await disableLockedCredential(tx, key)
  return 'disabled'
}
