import { listOperation } from '../../platform/api/declare/page.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { AccountPath } from '../accounts/account.schema.ts'
import { findAccountWithCount } from '../accounts/account.sql.ts'
import { Wallet } from './wallet.schema.ts'
import { listWalletsOfAccount } from './wallet.sql.ts'

export const listWallets = listOperation(
  {
    id: 'listWallets',
    summary: 'List the wallets of an account',
    description: 'The wallets of an account, whatever their status.',
    tag: 'Wallets',
    path: '/accounts/:accountId/wallets',
    scopes: ['wallet.read'],
    params: AccountPath,
    item: Wallet,
    errors: [requestErrors.not_found],
  },
  async ({ params, page }, { tenantId, tx }) => {
    const key = { tenantId, ...params }
    const [account, results] = await Promise.all([
      findAccountWithCount(tx, key, 'wallet_count'),
      listWalletsOfAccount(tx, key, page),
    ])
    if (!account) throw new ApiError(requestErrors.not_found, 'There is no such account.')
    return { count: Number(account.count), results }
  },
)
