import type { KeyRing } from '../base/key-ring.ts'
import { sealSecret } from '../credentials/credential-secret.ts'
import type { Transaction } from '../db/transaction.ts'
import { insertPersonalToken } from './personal-token.sql.ts'
import { newPersonalToken } from './personal-token.ts'

export interface IssuedPersonalToken {
  tokenId: string
  /** Shown once: only its HMAC is kept. */
  token: string
  expiresAt: Date
}

/** A token with which an administrator, who must exist, calls the operator's API. */
export async function issuePersonalToken(
  tx: Transaction,
  peppers: KeyRing,
  wanted: { tenantId: string; administratorId: string; name: string; now: Date; days: number },
): Promise<IssuedPersonalToken> {
  const { tokenId, token } = newPersonalToken()
  const expiresAt = new Date(wanted.now.getTime() + wanted.days * 86_400_000)
  await insertPersonalToken(tx, { ...wanted, tokenId, expiresAt, ...sealSecret(peppers, token) })
  return { tokenId, token, expiresAt }
}
