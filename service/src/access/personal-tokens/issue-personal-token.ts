import type { KeyRing } from '../../platform/base/key-ring.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { hashSecret } from '../credentials/credential-secret.ts'
import { newOperatorSecret } from '../credentials/operator-secret.ts'
import { lockKnownLimits } from '../tenants/tenant-limits.sql.ts'
import { requireWithinLimit } from '../tenants/tenant-limits.ts'
import { countLiveTokens, insertPersonalToken } from './personal-token.sql.ts'

export interface IssuedPersonalToken {
  tokenId: string
  /** Shown once; only its HMAC is stored. */
  token: string
  expiresAt: Date
}

interface NewToken {
  tenantId: string
  userId: string
  sessionId: string | null
  /** The person who sees the secret of a service user's token. */
  shownTo?: string
  name: string
  now: Date
  days: number
}

/** Issues a token for the operator API to an existing user, within the limits of the tenant. */
export async function issuePersonalToken(
  tx: Transaction,
  peppers: KeyRing,
  { now, days, ...owner }: NewToken,
): Promise<IssuedPersonalToken> {
  const limits = await lockKnownLimits(tx, owner.tenantId)
  requireWithinLimit('personalTokens', (await countLiveTokens(tx, owner.tenantId)) + 1, limits.personalTokens)
  const { id: tokenId, secret: token } = newOperatorSecret('token')
  const expiresAt = new Date(now.getTime() + days * 86_400_000)
  await insertPersonalToken(tx, { ...owner, id: tokenId, expiresAt, ...hashSecret(peppers, token) })
  return { tokenId, token, expiresAt }
}
