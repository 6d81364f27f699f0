import { ApiError } from '../../platform/api/errors/errors.ts'
import { found } from '../../platform/api/errors/found.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { type AccountRow, findAccount, lockAccount } from '../accounts/account.sql.ts'
import { requireNotErased } from '../accounts/require-not-erased.ts'
import { findVisibleOffering } from '../offerings/offering.sql.ts'
import type { EligibilityKey } from './eligibility.sql.ts'

/** Throws not_found unless the tenant has both. Integrators do not see drafts. */
export async function requireAccountAndOffering(tx: Transaction, key: EligibilityKey): Promise<void> {
  const [account] = await tx.batch(
    (tx) => findAccount(tx, key),
    (tx) => requireOffering(tx, key),
  )
  if (!account) throw new ApiError(requestErrors.not_found, 'There is no such account.')
}

/** Locks the account for a write, or throws not_found or account_erased. */
export async function lockAccountForOffering(tx: Transaction, key: EligibilityKey): Promise<AccountRow> {
  await requireOffering(tx, key)
  const account = found(await lockAccount(tx, key), 'There is no such account.')
  requireNotErased(account)
  return account
}

async function requireOffering(tx: Transaction, key: EligibilityKey): Promise<void> {
  found(await findVisibleOffering(tx, key), 'Offering not found.')
}
