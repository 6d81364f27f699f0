import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { walletErrors } from '../wallet.errors.ts'
import { WalletPath } from '../wallet.schema.ts'
import { moveWallet } from './move-wallet.ts'
import { OperatorWallet, Reason } from './operator-wallet.schema.ts'
import { viewOperatorWallet } from './operator-wallet.view.ts'

export const retireWallet = operatorOperation(
  {
    id: 'retireWallet',
    summary: 'Retire a wallet',
    description:
      'An `ACTIVE` wallet becomes `INACTIVE`, and a worker removes it from the allow-lists of its tokens. ' +
      'To use it again, its owner has to prove it again. Retiring it again changes nothing.',
    tag: 'Wallets',
    method: 'POST',
    path: '/accounts/:accountId/wallets/:walletId/retire',
    duty: 'compliance',
    approval: 'never',
    idempotency: 'optional',
    params: WalletPath,
    body: Reason,
    success: { status: 200, body: OperatorWallet },
    errors: [requestErrors.not_found, walletErrors.wallet_not_retirable],
  },
  async ({ params, body }, { tenantId, tx, audit }) =>
    viewOperatorWallet(await moveWallet({ tx, audit }, { tenantId, ...params }, 'retire', body.reason)),
)
