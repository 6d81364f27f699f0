import type { Static } from 'typebox'
import { type ApiError, validationFailed } from '../../platform/api/errors/errors.ts'
import { found } from '../../platform/api/errors/found.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { newRowId } from '../../platform/base/ids.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { recordEvent } from '../../records/events/event.sql.ts'
import { recheckOrdersOfAccount } from '../blockers/recheck-orders.ts'
import { accountErrors } from './account.errors.ts'
import type { AccountKey } from './account.sql.ts'
import type { BenefitingPerson, NewBenefitingPerson } from './benefiting-person.schema.ts'
import { insertBenefitingPerson, lockAccountForPerson } from './benefiting-person.sql.ts'
import { requireNotErased } from './require-not-erased.ts'

const personsMax = 1_000

export const addBenefitingPersonErrors = [requestErrors.not_found, accountErrors.account_erased] as const

/** Adds a beneficial owner of a company. The same rules apply to integrators and to operators. */
export async function addBenefitingPerson(
  tx: Transaction,
  key: AccountKey,
  newPerson: Static<typeof NewBenefitingPerson>,
): Promise<Static<typeof BenefitingPerson>> {
  const account = found(await lockAccountForPerson(tx, key), 'There is no such account.')
  requireNotErased(account)
  if (account.type !== 'COMPANY')
    throw rejected('accountId must be a company account: an individual account has no benefiting persons.')
  if (account.count >= personsMax)
    throw rejected(`The account already has ${personsMax} benefiting persons, the maximum.`)

  const person = { id: newRowId(), ...newPerson }
  const data = { account_id: key.accountId, benefiting_person_id: person.id }
  await tx.batch(
    (tx) => insertBenefitingPerson(tx, { ...key, ...person }),
    (tx) => recordEvent(tx, key.tenantId, { type: 'benefiting_person.created', data }),
    (tx) => recheckOrdersOfAccount(tx, key),
  )
  return person
}

function rejected(detail: string): ApiError {
  return validationFailed([{ detail, parameter: 'accountId' }])
}
