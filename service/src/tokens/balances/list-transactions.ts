import { jsonRowsOf, sameNames, type WriteRows } from '../../platform/api/declare/json-rows.ts'
import { listOperation } from '../../platform/api/declare/page.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { AccountPath } from '../../sales/accounts/account.schema.ts'
import { findAccountWithCount } from '../../sales/accounts/account.sql.ts'
import { TokenTransaction } from './balance.schema.ts'
import { selectTransactionsOfAccount, type TransactionRow } from './balance.sql.ts'

export const listTransactions = listOperation(
  {
    id: 'listTransactions',
    summary: 'List the token transactions of an account',
    description: 'All token transfers to, from and between the wallets of an account.',
    tag: 'Balances and transactions',
    path: '/accounts/:accountId/transactions',
    scopes: ['wallet.read', 'account.read'],
    params: AccountPath,
    item: TokenTransaction,
    errors: [requestErrors.not_found],
  },
  async ({ params, page }, { tenantId, tx }) => {
    const key = { tenantId, ...params }
    const [account, rows] = await tx.batch(
      (tx) => findAccountWithCount(tx, key, 'transaction_count'),
      (tx) => selectTransactionsOfAccount(tx, key, page),
    )
    if (!account) throw new ApiError(requestErrors.not_found, 'The account does not exist.')
    return { count: Number(account.count), results: transactionsOfAccount(rows) }
  },
)

const transactionsOfAccount: WriteRows<TransactionRow, typeof TokenTransaction> = jsonRowsOf(
  TokenTransaction,
  sameNames(TokenTransaction),
)
