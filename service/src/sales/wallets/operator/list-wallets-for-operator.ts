import { keysetListOperation, pageOf } from '../../../platform/api/declare/keyset-list.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { AccountPath } from '../../accounts/account.schema.ts'
import { findAccountWithCount } from '../../accounts/account.sql.ts'
import { OperatorWallet } from './operator-wallet.schema.ts'
import { selectOperatorWallets } from './operator-wallet.sql.ts'
import { viewOperatorWallet } from './operator-wallet.view.ts'

export const listWalletsForOperator = keysetListOperation(
  {
    id: 'listWallets',
    summary: 'List the wallets of an account',
    description: 'Returns all wallets of an account, whatever their status.',
    tag: 'Wallets',
    path: '/accounts/:accountId/wallets',
    duty: 'read',
    params: AccountPath,
    item: OperatorWallet,
    errors: [requestErrors.not_found],
  },
  async ({ params, page }, { tenantId, tx }) => {
    const key = { tenantId, ...params }
    const [account, rows] = await tx.batch(
      (tx) => findAccountWithCount(tx, key, 'wallet_count'),
      (tx) => selectOperatorWallets(tx, key, page),
    )
    if (!account) throw new ApiError(requestErrors.not_found, 'Account not found.')
    return { count: Number(account.count), ...pageOf(rows, page, viewOperatorWallet) }
  },
)
