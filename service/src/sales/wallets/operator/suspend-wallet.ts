import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { walletErrors } from '../wallet.errors.ts'
import { moveWallet, walletMove } from './move-wallet.ts'

export const suspendWallet = operatorOperation(
  {
    ...walletMove,
    id: 'suspendWallet',
    summary: 'Suspend a wallet',
    description:
      'No orders are minted to the wallet until it is resumed, and a worker removes it from the allow-lists of its ' +
      'tokens: it can then neither send nor receive them. Suspending it again changes nothing.',
    path: '/accounts/:accountId/wallets/:walletId/suspend',
    errors: [requestErrors.not_found, walletErrors.wallet_not_suspendable],
  },
  (input, context) => moveWallet(context, input, 'suspend'),
)
