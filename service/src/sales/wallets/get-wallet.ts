import { operation } from '../../platform/api/declare/operation.ts'
import { found } from '../../platform/api/errors/found.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { Wallet, WalletPath } from './wallet.schema.ts'
import { findWallet } from './wallet.sql.ts'
import { viewWallet } from './wallet.view.ts'

export const getWallet = operation(
  {
    id: 'getWallet',
    summary: 'Read a wallet',
    description: 'Returns a wallet of an account.',
    tag: 'Wallets',
    method: 'GET',
    path: '/accounts/:accountId/wallets/:walletId',
    scopes: ['wallet.read'],
    idempotency: 'none',
    params: WalletPath,
    success: { status: 200, body: Wallet },
    errors: [requestErrors.not_found],
  },
  async ({ params }, { tenantId, tx }) => {
    const wallet = found(await findWallet(tx, { tenantId, ...params }), 'Wallet not found in this account.')
    return viewWallet(wallet)
  },
)
