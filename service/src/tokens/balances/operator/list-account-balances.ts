import { viewApiRow } from '../../../platform/api/declare/api-row.ts'
import { keysetListOperation, pageOf } from '../../../platform/api/declare/keyset-list.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { AccountPath } from '../../../sales/accounts/account.schema.ts'
import { findAccountWithCount } from '../../../sales/accounts/account.sql.ts'
import { WalletBalance } from '../balance.schema.ts'
import { selectBalancePage } from '../balance.sql.ts'

export const listAccountBalances = keysetListOperation(
  {
    id: 'listAccountBalances',
    summary: "List the balances of an account's wallets",
    description: 'The balance of each wallet of an account, per token, with the name of its offering.',
    tag: 'Accounts',
    path: '/accounts/:accountId/balances',
    duty: 'read',
    params: AccountPath,
    item: WalletBalance,
    errors: [requestErrors.not_found],
  },
  async ({ params, page }, { tenantId, tx }) => {
    const key = { tenantId, ...params }
    const [account, rows] = await tx.batch(
      (tx) => findAccountWithCount(tx, key, 'balance_count'),
      (tx) => selectBalancePage(tx, key, page),
    )
    if (!account) throw new ApiError(requestErrors.not_found, 'There is no such account.')
    return { count: Number(account.count), ...pageOf(rows, page, viewApiRow) }
  },
)
