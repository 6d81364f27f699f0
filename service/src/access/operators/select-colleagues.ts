import type { Colleague } from '../../platform/api/declare/services.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { selectAllUsers, selectControllers } from '../users/user.sql.ts'

/** Returns the current users of the tenant, for rules that compare two of them. */
export async function selectColleagues(tx: Transaction, tenantId: string): Promise<Colleague[]> {
  const [users, controllers] = await tx.batch(
    (tx) => selectAllUsers(tx, tenantId),
    (tx) => selectControllers(tx, tenantId),
  )
  return users.map(({ id: userId, kind, identityId, invitedBy, createdAt, duties }) => ({
    userId,
    kind,
    identityId,
    invitedBy,
    createdAt,
    controllers: controllers
      .filter(({ serviceUserId }) => serviceUserId === userId)
      .map((person) => ({ userId: person.userId, kind: 'person', identityId: person.identityId })),
    duties: duties.map(({ grantedAt, ...granted }) => ({ ...granted, grantedAt: new Date(grantedAt) })),
  }))
}
