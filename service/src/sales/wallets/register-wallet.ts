import { operation } from '../../platform/api/declare/operation.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { accountErrors } from '../accounts/account.errors.ts'
import { AccountPath } from '../accounts/account.schema.ts'
import { addWallet } from './add-wallet.ts'
import { walletErrors } from './wallet.errors.ts'
import { NewWallet, WalletChallenge } from './wallet.schema.ts'
import { countPendingWallets } from './wallet.sql.ts'
import { viewWalletChallenge } from './wallet.view.ts'

// An investor tries a wallet or two. More would only clutter the account for everyone who reads it.
const pendingMax = 10

export const registerWallet = operation(
  {
    id: 'registerWallet',
    summary: 'Register a wallet',
    description:
      'The wallet is `PENDING` until the investor signs `challenge` and you send the signature to `prove`, within 24 ' +
      'hours. The message names your site, the account, the wallet, its address and chain. A tenant can register an ' +
      'address once per chain, and an account can have ten `PENDING` wallets. A new wallet changes nothing for ' +
      'orders while an older one is `ACTIVE`: tokens go to the wallet that was proven first. A wallet of Stellar or ' +
      'Concordium has no challenge and stays `PENDING`: the service mints on neither.',
    tag: 'Wallets',
    method: 'POST',
    path: '/accounts/:accountId/wallets',
    scopes: ['account.update'],
    idempotency: 'optional',
    params: AccountPath,
    body: NewWallet,
    success: {
      status: 201,
      body: WalletChallenge,
      location: (wallet: { id: string; account_id: string }) => `/accounts/${wallet.account_id}/wallets/${wallet.id}`,
    },
    errors: [
      requestErrors.not_found,
      accountErrors.account_erased,
      walletErrors.wallet_already_registered,
      walletErrors.too_many_pending_wallets,
    ],
    isExtension: true,
  },
  async ({ params: { accountId }, body }, context) => {
    const added = await addWallet(context, accountId, body)
    // The insert has locked the row of the account, so concurrent requests count one after the other.
    const { tenantId, tx } = context
    if ((await countPendingWallets(tx, { tenantId, accountId })) > pendingMax)
      throw new ApiError(
        walletErrors.too_many_pending_wallets,
        `The account has ${pendingMax} wallets that are not proven yet. Prove one, or wait until they expire.`,
      )
    return viewWalletChallenge(added)
  },
)
