import type { Static } from 'typebox'
import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { AccountKey, AccountType } from './account.sql.ts'
import type { BenefitingPerson } from './benefiting-person.schema.ts'

type Person = Static<typeof BenefitingPerson>

/** Locks the account and returns the facts that decide whether it may have another benefiting person. */
export function lockAccountForPerson(tx: Transaction, { tenantId, accountId }: AccountKey) {
  return tx.row<{ type: AccountType; count: number; erasedAt: Date | null }>(sql`
    select type, benefiting_person_count as count, erased_at as "erasedAt" from cell.account
    where tenant_id = ${tenantId} and id = ${accountId} for no key update`)
}

export async function insertBenefitingPerson(tx: Transaction, { tenantId, accountId, ...person }: AccountKey & Person) {
  await tx.rows(sql`
    with counted as (
      update cell.account set benefiting_person_count = benefiting_person_count + 1
      where tenant_id = ${tenantId} and id = ${accountId}
      returning benefiting_person_count - 1 as position
    )
    insert into cell.benefiting_person (tenant_id, id, account_id, position, firstname, lastname, street, zip, state,
                                        city, country)
    select ${tenantId}, ${person.id}, ${accountId}, position, ${person.firstname}, ${person.lastname}, ${person.street},
           ${person.zip}, ${person.state}, ${person.city}, ${person.country}
    from counted`)
}

/** Oldest first. Not paged: an account has at most 1,000. */
export function selectBenefitingPersons(tx: Transaction, { tenantId, accountId }: AccountKey): Promise<Person[]> {
  return tx.rows<Person>(sql`
    select id, firstname, lastname, street, zip, state, city, country
    from cell.benefiting_person
    where tenant_id = ${tenantId} and account_id = ${accountId}
    order by position`)
}
