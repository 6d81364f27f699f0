import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { renewChallenge } from '../renew-challenge.ts'
import { walletErrors } from '../wallet.errors.ts'
import { WalletPath } from '../wallet.schema.ts'
import { ChallengedWallet } from './operator-wallet.schema.ts'
import { viewChallengedWallet } from './operator-wallet.view.ts'

export const challengeWalletForOperator = operatorOperation(
  {
    id: 'challengeWallet',
    summary: 'Get a new challenge for a wallet',
    description:
      'Returns a new message to sign, valid for 24 hours. The previous one is no longer accepted. An `EXPIRED` or ' +
      '`INACTIVE` wallet becomes `PENDING` again.',
    tag: 'Wallets',
    method: 'POST',
    path: '/accounts/:accountId/wallets/:walletId/challenge',
    duty: 'compliance',
    approval: 'never',
    idempotency: 'optional',
    params: WalletPath,
    success: { status: 200, body: ChallengedWallet },
    errors: [requestErrors.not_found, walletErrors.wallet_not_reopenable],
  },
  async ({ params }, context) =>
    viewChallengedWallet(await renewChallenge(context, { tenantId: context.tenantId, ...params }, { keepMs: 0 })),
)
