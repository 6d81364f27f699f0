import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { walletErrors } from '../wallet.errors.ts'
import { moveWallet, walletMove } from './move-wallet.ts'

export const retireWallet = operatorOperation(
  {
    ...walletMove,
    id: 'retireWallet',
    summary: 'Retire a wallet',
    description:
      'An `ACTIVE` wallet becomes `INACTIVE`, and a worker removes it from the allow-lists of its tokens. ' +
      'To use it again, its owner has to prove it again. Retiring it again changes nothing.',
    path: '/accounts/:accountId/wallets/:walletId/retire',
    errors: [requestErrors.not_found, walletErrors.wallet_not_retirable],
  },
  (input, context) => moveWallet(context, input, 'retire'),
)
