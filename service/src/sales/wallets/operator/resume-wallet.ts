import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { walletErrors } from '../wallet.errors.ts'
import { moveWallet, walletMove } from './move-wallet.ts'

export const resumeWallet = operatorOperation(
  {
    ...walletMove,
    id: 'resumeWallet',
    summary: 'Resume a wallet',
    description:
      'A `SUSPENDED` wallet becomes `ACTIVE` again, and a worker puts it back on the allow-lists of its tokens. ' +
      'Resuming an active wallet changes nothing.',
    path: '/accounts/:accountId/wallets/:walletId/resume',
    errors: [requestErrors.not_found, walletErrors.wallet_not_resumable],
  },
  (input, context) => moveWallet(context, input, 'resume'),
)
