import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { walletErrors } from '../wallet.errors.ts'
import { WalletPath } from '../wallet.schema.ts'
import { moveWallet } from './move-wallet.ts'
import { OperatorWallet, Reason } from './operator-wallet.schema.ts'
import { viewOperatorWallet } from './operator-wallet.view.ts'

export const suspendWallet = operatorOperation(
  {
    id: 'suspendWallet',
    summary: 'Suspend a wallet',
    description:
      'No orders are minted to the wallet until it is resumed, and a worker removes it from the allow-lists of its ' +
      'tokens: it can then neither send nor receive them. Suspending it again changes nothing.',
    tag: 'Wallets',
    method: 'POST',
    path: '/accounts/:accountId/wallets/:walletId/suspend',
    duty: 'compliance',
    approval: 'never',
    idempotency: 'optional',
    params: WalletPath,
    body: Reason,
    success: { status: 200, body: OperatorWallet },
    errors: [requestErrors.not_found, walletErrors.wallet_not_suspendable],
  },
  async ({ params, body }, { tenantId, tx, audit }) =>
    viewOperatorWallet(await moveWallet({ tx, audit }, { tenantId, ...params }, 'suspend', body.reason)),
)
