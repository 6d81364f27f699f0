import { AccountPath } from '../accounts/account.schema.ts'
import { findAccountWithCount } from '../accounts/account.sql.ts'
import { ApiError } from '../http/errors.ts'
import { listOperation } from '../http/page.ts'
import { Transaction } from './holding.schema.ts'
import { listTransactionsOfAccount } from './holding.sql.ts'

export const listTransactions = listOperation(
  {
    id: 'listTransactions',
    summary: 'List the token transactions of an account',
    description: 'Every movement of tokens into, out of and between the wallets of an account.',
    tag: 'Balances and transactions',
    path: '/accounts/:accountId/transactions',
    scopes: ['wallet.read', 'account.read'],
    params: AccountPath,
    item: Transaction,
    errors: ['not_found'],
  },
  async ({ params, page }, { tenantId, tx }) => {
    const key = { tenantId, ...params }
    const [account, rows] = await Promise.all([
      findAccountWithCount(tx, key, 'transaction_count'),
      listTransactionsOfAccount(tx, key, page),
    ])
    if (!account) throw new ApiError('not_found', 'There is no such account.')
    const results = rows.map((row) => ({ ...row, block_timestamp: row.block_timestamp.toISOString() }))
    return { count: Number(account.count), results }
  },
)
