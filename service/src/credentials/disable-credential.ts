import type { Transaction } from '../db/transaction.ts'
import { type CredentialKey, disableLockedCredential, lockCredential } from './credential.sql.ts'

/**
 * No new tokens, and those already issued are refused within seconds. False where the tenant has no such credential.
 */
export async function disableCredential(tx: Transaction, key: CredentialKey): Promise<boolean> {
  if (!(await lockCredential(tx, key))) return false
  await disableLockedCredential(tx, key)
  return true
}
