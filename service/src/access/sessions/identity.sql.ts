import { sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { UserKey } from '../users/user.sql.ts'
import { identityIdOf, type PersonKey } from './identity.ts'

/** Needs a transaction that presents the person's id. */
export async function ensureIdentity(tx: Transaction, person: PersonKey): Promise<string> {
  const id = identityIdOf(person)
  await tx.rows(sql`
    insert into directory.operator_identity (id, issuer, subject) values (${id}, ${person.issuer}, ${person.subject})
    on conflict do nothing`)
  return id
}

/** Binds a user to a person, once. Returns false if the user is bound already, or the person is another user here. */
export async function bindIdentity(
  tx: Transaction,
  { tenantId, userId }: UserKey,
  identityId: string,
): Promise<boolean> {
  const bound = await tx.row(sql`
    update directory.operator_user set identity_id = ${identityId}
    where tenant_id = ${tenantId} and id = ${userId} and kind = 'person' and removed_at is null
      and identity_id is null
      and not exists (
        select from directory.operator_user other
        where other.tenant_id = ${tenantId} and other.identity_id = ${identityId} and other.removed_at is null
      )
    returning id`)
  return bound !== undefined
}
