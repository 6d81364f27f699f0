import { listOperation } from '../../platform/api/declare/page.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { AccountPath } from '../accounts/account.schema.ts'
import { findAccountWithCount } from '../accounts/account.sql.ts'
import { Wallet } from './wallet.schema.ts'
import { selectWalletsOfAccount } from './wallet.sql.ts'
import { viewWallet } from './wallet.view.ts'

export const listWallets = listOperation(
  {
    id: 'listWallets',
    summary: 'List the wallets of an account',
    description: 'Returns all wallets of an account, whatever their status.',
    tag: 'Wallets',
    path: '/accounts/:accountId/wallets',
    scopes: ['wallet.read'],
    params: AccountPath,
    item: Wallet,
    errors: [requestErrors.not_found],
  },
  async ({ params, page }, { tenantId, tx }) => {
    const key = { tenantId, ...params }
    const [account, rows] = await tx.batch(
      (tx) => findAccountWithCount(tx, key, 'wallet_count'),
      (tx) => selectWalletsOfAccount(tx, key, page),
    )
    if (!account) throw new ApiError(requestErrors.not_found, 'Account not found.')
    return { count: Number(account.count), results: rows.map(viewWallet) }
  },
)
