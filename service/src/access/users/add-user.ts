import type { GrantedDuty } from '../../platform/api/declare/duties.ts'
import { newId } from '../../platform/base/ids.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { lockDirectoryLimits } from '../tenants/tenant-limits.sql.ts'
import { requireWithinLimit } from '../tenants/tenant-limits.ts'
import { countUsers, insertUser, replaceDuties, type UserRow } from './user.sql.ts'

export type AddedUser = { userId: string } | { rejected: 'tenant not found' | 'email already used' }

export type NewUserFacts = Pick<UserRow, 'kind' | 'name' | 'email' | 'invitedBy'> & {
  tenantId: string
  duties: readonly GrantedDuty[]
}

/** Adds a user of the tenant's operator API, within the limits of the tenant. */
export async function addUser(tx: Transaction, { tenantId, duties, ...user }: NewUserFacts): Promise<AddedUser> {
  const limits = await lockDirectoryLimits(tx, tenantId)
  if (!limits) return { rejected: 'tenant not found' }
  requireWithinLimit('users', (await countUsers(tx, tenantId)) + 1, limits.users)
  const id = newId()
  const isNew = await insertUser(tx, { tenantId, id, ...user })
  if (!isNew) return { rejected: 'email already used' }
  await replaceDuties(tx, { tenantId, userId: id }, duties, user.invitedBy)
  return { userId: id }
}
