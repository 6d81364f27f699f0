import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { walletErrors } from '../wallet.errors.ts'
import { WalletPath } from '../wallet.schema.ts'
import { moveWallet } from './move-wallet.ts'
import { OperatorWallet, Reason } from './operator-wallet.schema.ts'
import { viewOperatorWallet } from './operator-wallet.view.ts'

export const resumeWallet = operatorOperation(
  {
    id: 'resumeWallet',
    summary: 'Resume a wallet',
    description:
      'A `SUSPENDED` wallet becomes `ACTIVE` again, and a worker puts it back on the allow-lists of its tokens. ' +
      'Resuming an active wallet changes nothing.',
    tag: 'Wallets',
    method: 'POST',
    path: '/accounts/:accountId/wallets/:walletId/resume',
    duty: 'compliance',
    approval: 'never',
    idempotency: 'optional',
    params: WalletPath,
    body: Reason,
    success: { status: 200, body: OperatorWallet },
    errors: [requestErrors.not_found, walletErrors.wallet_not_resumable],
  },
  async ({ params, body }, { tenantId, tx, audit }) =>
    viewOperatorWallet(await moveWallet({ tx, audit }, { tenantId, ...params }, 'resume', body.reason)),
)
