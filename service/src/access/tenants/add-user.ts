import type { Role } from '../../platform/api/declare/roles.ts'
import { newId } from '../../platform/base/ids.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { insertUser, tenantExists } from './tenant.sql.ts'

export type AddedUser = { userId: string } | { refused: 'no such tenant' | 'address already known' }

/** A person who runs the tenant and is told when something is wrong with it. */
export async function addUser(
  tx: Transaction,
  { tenantId, name, email, role }: { tenantId: string; name: string; email: string; role: Role },
): Promise<AddedUser> {
  if (!(await tenantExists(tx, tenantId))) return { refused: 'no such tenant' }
  const userId = newId()
  const isNew = await insertUser(tx, { tenantId, userId, name, email, role })
  return isNew ? { userId } : { refused: 'address already known' }
}
