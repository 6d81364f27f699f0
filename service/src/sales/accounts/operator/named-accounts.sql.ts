import { isUuid } from '../../../platform/base/ids.ts'
import { type Sql, sql } from '../../../platform/db/sql.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import { matchSubjects } from '../../../records/search/match-subjects.sql.ts'
import { typedAlternatives } from '../../../records/search/search-terms.ts'

/** How a list finds the accounts that a person typed the name of. */
export interface NamedAccounts {
  /** A condition on cell.account; undefined if every account matches. */
  readonly isNamed: Sql | undefined
  /** The same, of only some of them if there are too many to count. */
  readonly isCounted: Sql | undefined
  readonly isCountExact: boolean
}

export const everyAccount: NamedAccounts = { isNamed: undefined, isCounted: undefined, isCountExact: true }

/** The accounts with this id, these words in their name, or this e-mail address; undefined if there is none. */
export async function accountsNamed(tx: Transaction, tenantId: string, q: string): Promise<NamedAccounts | undefined> {
  const id = sql`account.id`
  if (isUuid(q)) return { isNamed: sql`${id} = ${q}`, isCounted: sql`${id} = ${q}`, isCountExact: true }
  const found = await matchSubjects(tx, { tenantId, kind: 'account' }, typedAlternatives(q))
  return found && { isNamed: found.matches(id), isCounted: found.isCounted(id), isCountExact: found.isCountExact }
}
