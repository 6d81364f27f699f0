import type { Role } from '../../platform/api/declare/roles.ts'
import { newId } from '../../platform/base/ids.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { lockDirectoryLimits } from '../tenants/tenant-limits.sql.ts'
import { requireWithinLimit } from '../tenants/tenant-limits.ts'
import { countUsers, insertUser } from './user.sql.ts'

export type AddedUser = { userId: string } | { rejected: 'tenant not found' | 'email already used' }

/** Adds a user who signs in to the operator API of the tenant, within the limits of the tenant. */
export async function addUser(
  tx: Transaction,
  { tenantId, name, email, role }: { tenantId: string; name: string; email: string; role: Role },
): Promise<AddedUser> {
  const limits = await lockDirectoryLimits(tx, tenantId)
  if (!limits) return { rejected: 'tenant not found' }
  requireWithinLimit('users', (await countUsers(tx, tenantId)) + 1, limits.users)
  const id = newId()
  const isNew = await insertUser(tx, { tenantId, id, name, email, role })
  return isNew ? { userId: id } : { rejected: 'email already used' }
}
