import type { Static } from 'typebox'
import { found } from '../../platform/api/errors/found.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { type AccountKey, findAccount } from './account.sql.ts'
import type { BenefitingPerson } from './benefiting-person.schema.ts'
import { selectBenefitingPersons } from './benefiting-person.sql.ts'

/** Returns all benefiting persons of an account. Throws not_found if it does not exist. */
export async function readBenefitingPersons(
  tx: Transaction,
  key: AccountKey,
): Promise<Static<typeof BenefitingPerson>[]> {
  const [account, persons] = await tx.batch(
    (tx) => findAccount(tx, key),
    (tx) => selectBenefitingPersons(tx, key),
  )
  found(account, 'There is no such account.')
  return persons
}
