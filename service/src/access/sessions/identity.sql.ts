import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { UserKey } from '../users/user.sql.ts'
import { identityIdOf, type PersonKey } from './identity.ts'

/** Creates the person if they are new, and returns their id. Needs a transaction that presents it. */
export async function ensureIdentity(tx: Transaction, person: PersonKey): Promise<string> {
  const id = identityIdOf(person)
  await tx.rows(sql`
    insert into directory.operator_identity (id, issuer, subject) values (${id}, ${person.issuer}, ${person.subject})
    on conflict do nothing`)
  return id
}

/** Binds a user to a person, once. Returns false if the user is bound, or the person is another user of the tenant. */
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

/** Returns the current users of a person in all tenants. Needs a transaction that presents the person's id. */
export function selectUsersOfIdentity(tx: Transaction, identityId: string): Promise<UserKey[]> {
  return tx.rows<UserKey>(sql`
    select operator_user.tenant_id as "tenantId", operator_user.id as "userId" from directory.operator_user
    where operator_user.identity_id = ${identityId} and operator_user.removed_at is null
    order by operator_user.created_at, operator_user.id`)
}

/** Returns the issuer of a person, whose id the transaction must present. */
export async function findIssuer(tx: Transaction, identityId: string): Promise<string | undefined> {
  const found = await tx.row<{ issuer: string }>(sql`
    select operator_identity.issuer from directory.operator_identity where operator_identity.id = ${identityId}`)
  return found?.issuer
}

/** Unbinds all people of a tenant from their users, so that each can accept a new invitation. Returns their users. */
export async function unbindPeople(tx: Transaction, tenantId: string): Promise<string[]> {
  const unbound = await tx.rows<{ id: string }>(sql`
    update directory.operator_user set identity_id = null
    where tenant_id = ${tenantId} and identity_id is not null and removed_at is null
    returning id`)
  return unbound.map(({ id }) => id)
}
