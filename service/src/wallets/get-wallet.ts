import { ApiError } from '../http/errors.ts'
import { operation } from '../http/operation.ts'
import { Wallet, WalletPath } from './wallet.schema.ts'
import { findWallet } from './wallet.sql.ts'

export const getWallet = operation(
  {
    id: 'getWallet',
    summary: 'Read a wallet',
    description: 'One wallet of an account.',
    tag: 'Wallets',
    method: 'GET',
    path: '/accounts/:accountId/wallets/:walletId',
    scopes: ['wallet.read'],
    idempotency: 'none',
    params: WalletPath,
    success: { status: 200, body: Wallet },
    errors: ['not_found'],
  },
  async ({ params }, { tenantId, tx }) => {
    const wallet = await findWallet(tx, { tenantId, ...params })
    if (!wallet) throw new ApiError('not_found', 'This account has no such wallet.')
    return wallet
  },
)
