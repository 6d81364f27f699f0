import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { type AccountRow, findAccount, lockAccount } from '../accounts/account.sql.ts'
import { requireNotErased } from '../accounts/require-not-erased.ts'
import { findSaleTerms } from '../orders/order.sql.ts'
import type { EligibilityKey } from './eligibility.sql.ts'

/** Throws not_found unless both are of the tenant. Integrators do not see drafts. */
export async function requireAccountAndOffering(tx: Transaction, key: EligibilityKey): Promise<void> {
  const [account] = await tx.batch(
    (tx) => findAccount(tx, key),
    (tx) => requireOffering(tx, key),
  )
  if (!account) throw new ApiError(requestErrors.not_found, 'There is no such account.')
}

/** The same for a write: locks the account, which must not be erased. */
export async function lockAccountForOffering(tx: Transaction, key: EligibilityKey): Promise<AccountRow> {
  await requireOffering(tx, key)
  const account = await lockAccount(tx, key)
  if (!account) throw new ApiError(requestErrors.not_found, 'There is no such account.')
  requireNotErased(account)
  return account
}

async function requireOffering(tx: Transaction, key: EligibilityKey): Promise<void> {
  if (!(await findSaleTerms(tx, key))) throw new ApiError(requestErrors.not_found, 'Offering not found.')
}
