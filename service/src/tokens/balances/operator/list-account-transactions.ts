import { viewApiRow } from '../../../platform/api/declare/api-row.ts'
import { keysetListOperation, pageOf } from '../../../platform/api/declare/keyset-list.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { AccountPath } from '../../../sales/accounts/account.schema.ts'
import { findAccountWithCount } from '../../../sales/accounts/account.sql.ts'
import { TokenTransaction } from '../balance.schema.ts'
import { selectTransactionPage } from '../balance.sql.ts'

export const listAccountTransactions = keysetListOperation(
  {
    id: 'listAccountTransactions',
    summary: 'List the token transactions of an account',
    description: 'All token transfers to, from and between the wallets of an account.',
    tag: 'Accounts',
    path: '/accounts/:accountId/transactions',
    duty: 'read',
    params: AccountPath,
    item: TokenTransaction,
    errors: [requestErrors.not_found],
  },
  async ({ params, page }, { tenantId, tx }) => {
    const key = { tenantId, ...params }
    const [account, rows] = await tx.batch(
      (tx) => findAccountWithCount(tx, key, 'transaction_count'),
      (tx) => selectTransactionPage(tx, key, page),
    )
    if (!account) throw new ApiError(requestErrors.not_found, 'There is no such account.')
    return { count: Number(account.count), ...pageOf(rows, page, viewApiRow) }
  },
)
