import type { KeyRing } from '../../platform/base/key-ring.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { sealSecret } from '../credentials/credential-secret.ts'
import { insertPersonalToken } from './personal-token.sql.ts'
import { newPersonalToken } from './personal-token.ts'

export interface IssuedPersonalToken {
  tokenId: string
  /** Shown once: only its HMAC is kept. */
  token: string
  expiresAt: Date
}

/** A token with which an user, who must exist, calls the operator's API. */
export async function issuePersonalToken(
  tx: Transaction,
  peppers: KeyRing,
  wanted: { tenantId: string; userId: string; name: string; now: Date; days: number },
): Promise<IssuedPersonalToken> {
  const { tokenId, token } = newPersonalToken()
  const expiresAt = new Date(wanted.now.getTime() + wanted.days * 86_400_000)
  await insertPersonalToken(tx, { ...wanted, tokenId, expiresAt, ...sealSecret(peppers, token) })
  return { tokenId, token, expiresAt }
}
