import { operation } from '../../platform/api/declare/operation.ts'
import { readOne } from '../../platform/api/declare/read-one.ts'
import { found } from '../../platform/api/errors/found.ts'
import { Wallet, WalletPath } from './wallet.schema.ts'
import { findWallet } from './wallet.sql.ts'
import { viewWallet } from './wallet.view.ts'

export const getWallet = operation(
  {
    ...readOne,
    id: 'getWallet',
    summary: 'Read a wallet',
    description: 'Returns a wallet of an account.',
    tag: 'Wallets',
    path: '/accounts/:accountId/wallets/:walletId',
    scopes: ['wallet.read'],
    params: WalletPath,
    success: { status: 200, body: Wallet },
  },
  async ({ params }, { tenantId, tx }) => {
    const wallet = found(await findWallet(tx, { tenantId, ...params }), 'Wallet not found in this account.')
    return viewWallet(wallet)
  },
)
