import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { accountErrors } from '../../accounts/account.errors.ts'
import { AccountPath } from '../../accounts/account.schema.ts'
import { addWallet } from '../add-wallet.ts'
import { walletErrors } from '../wallet.errors.ts'
import { NewWallet } from '../wallet.schema.ts'
import { ChallengedWallet } from './operator-wallet.schema.ts'
import { viewChallengedWallet } from './operator-wallet.view.ts'

export const registerWalletForOperator = operatorOperation(
  {
    id: 'registerWallet',
    summary: 'Register a wallet',
    description:
      'The wallet is `PENDING` until its owner signs `challenge` and you send the signature to `prove`, within 24 ' +
      'hours. A tenant can register an address once per chain. Responses have the address with its EIP-55 checksum. ' +
      'A wallet of Stellar or Concordium has no challenge and stays `PENDING`: the service mints on neither.',
    tag: 'Wallets',
    method: 'POST',
    path: '/accounts/:accountId/wallets',
    duty: 'compliance',
    approval: 'policy',
    idempotency: 'optional',
    params: AccountPath,
    body: NewWallet,
    success: {
      status: 201,
      body: ChallengedWallet,
      location: (wallet: { id: string; account_id: string }) => `/accounts/${wallet.account_id}/wallets/${wallet.id}`,
    },
    errors: [requestErrors.not_found, accountErrors.account_erased, walletErrors.wallet_already_registered],
  },
  async ({ params, body }, context) => viewChallengedWallet(await addWallet(context, params.accountId, body)),
  { policy: 'wallet_registration', subject: 'account' },
)
