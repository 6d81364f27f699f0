import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { readOne } from '../../../platform/api/declare/read-one.ts'
import { WalletPath } from '../wallet.schema.ts'
import { OperatorWallet } from './operator-wallet.schema.ts'
import { findOperatorWallet } from './operator-wallet.sql.ts'
import { viewOperatorWallet } from './operator-wallet.view.ts'
import { walletNotFound } from './reject-move.ts'

export const getWalletForOperator = operatorOperation(
  {
    ...readOne,
    id: 'getWallet',
    summary: 'Read a wallet',
    description: 'Returns a wallet of an account. `proven_at` shows whether its ownership is proven.',
    tag: 'Wallets',
    path: '/accounts/:accountId/wallets/:walletId',
    duty: 'read',
    params: WalletPath,
    success: { status: 200, body: OperatorWallet },
  },
  async ({ params }, { tenantId, tx }) => {
    const wallet = await findOperatorWallet(tx, { tenantId, ...params })
    if (!wallet) throw walletNotFound()
    return viewOperatorWallet(wallet)
  },
)
