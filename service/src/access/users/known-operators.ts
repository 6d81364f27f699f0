import type { KnownOperator } from '../../platform/api/declare/services.ts'
import type { KeyRing } from '../../platform/base/key-ring.ts'
import type { Databases } from '../../platform/db/pools.ts'
import { inDirectoryTransaction } from '../../platform/db/tenant-transaction.ts'
import { isOneOf } from '../credentials/credential-secret.ts'
import { findOperator } from './personal-token.sql.ts'
import { tokenIdOf } from './personal-token.ts'

/**
 * Whose personal token this is. Asked of the directory on every request: operators are few, and one who was removed
 * must not do anything more.
 */
export async function findOperatorByToken(
  databases: Databases,
  peppers: KeyRing,
  token: string,
): Promise<KnownOperator | undefined> {
  const tokenId = tokenIdOf(token)
  if (!tokenId) return undefined
  const found = await inDirectoryTransaction(databases, { tokenId, access: 'read' }, (tx) => findOperator(tx, tokenId))
  return isOneOf(peppers, token, found ? [found] : []) ? found : undefined
}
