import { operation } from '../../platform/api/declare/operation.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { renewChallenge } from './renew-challenge.ts'
import { walletErrors } from './wallet.errors.ts'
import { WalletChallenge, WalletPath } from './wallet.schema.ts'
import { viewWalletChallenge } from './wallet.view.ts'

// A page that asks twice shows the same message, and a caller in a loop costs one read per request.
const keepMs = 60_000

export const challengeWallet = operation(
  {
    id: 'challengeWallet',
    summary: 'Get a challenge for a wallet',
    description:
      'Returns the message to sign, valid for 24 hours: the open one if it is younger than a minute, otherwise a new ' +
      'one, and the previous one is no longer accepted. An `EXPIRED` or `INACTIVE` wallet becomes `PENDING` again.',
    tag: 'Wallets',
    method: 'POST',
    path: '/accounts/:accountId/wallets/:walletId/challenge',
    scopes: ['account.update'],
    idempotency: 'optional',
    params: WalletPath,
    success: { status: 200, body: WalletChallenge },
    errors: [requestErrors.not_found, walletErrors.wallet_not_reopenable],
    isExtension: true,
  },
  async ({ params }, context) =>
    viewWalletChallenge(await renewChallenge(context, { tenantId: context.tenantId, ...params }, { keepMs })),
)
