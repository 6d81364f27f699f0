import type { KnownOperator } from '../../platform/api/declare/services.ts'
import type { KeyRing } from '../../platform/base/key-ring.ts'
import type { Databases } from '../../platform/db/pools.ts'
import { inDirectoryTransaction } from '../../platform/db/tenant-transaction.ts'
import { matchesAnySecret } from '../credentials/credential-secret.ts'
import { findOperatorByTokenId } from './personal-token.sql.ts'
import { tokenIdOf } from './personal-token.ts'

/**
 * The user of a personal access token. Not cached: the operator API has few callers, and a removed user must lose
 * access with the next request.
 */
export async function findOperatorByToken(
  databases: Databases,
  peppers: KeyRing,
  token: string,
): Promise<KnownOperator | undefined> {
  const tokenId = tokenIdOf(token)
  if (!tokenId) return undefined
  const found = await inDirectoryTransaction(databases, { tokenId, access: 'read' }, (tx) =>
    findOperatorByTokenId(tx, tokenId),
  )
  return matchesAnySecret(peppers, token, found ? [found] : []) ? found : undefined
}
