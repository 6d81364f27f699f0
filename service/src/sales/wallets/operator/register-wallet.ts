import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError, validationFailed } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { newRowId } from '../../../platform/base/ids.ts'
import { recordEvent } from '../../../records/events/event.sql.ts'
import { AccountPath } from '../../accounts/account.schema.ts'
import { findAccountWithCount } from '../../accounts/account.sql.ts'
import { isBlockchain } from '../blockchains.ts'
import { newChallenge } from '../challenge.ts'
import { nativeAddressOf } from '../native-address.ts'
import { walletErrors } from '../wallet.errors.ts'
import { ChallengedWallet, NewWallet } from './operator-wallet.schema.ts'
import { insertWallet } from './operator-wallet.sql.ts'
import { viewOperatorWallet } from './operator-wallet.view.ts'

export const registerWallet = operatorOperation(
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
    errors: [requestErrors.not_found, walletErrors.wallet_already_registered],
  },
  async ({ params, body }, { tenantId, tx, now, walletProofUrl, audit }) => {
    const key = { tenantId, ...params }
    const { name, provider, type } = body
    const address = nativeAddressOf(body)
    if ('detail' in address) throw validationFailed([address])
    if (!(await findAccountWithCount(tx, key, 'wallet_count')))
      throw new ApiError(requestErrors.not_found, 'Account not found.')

    const { publicAddress, blockchain } = address
    const challenge = isBlockchain(blockchain)
      ? newChallenge({ publicAddress, blockchain }, { walletProofUrl, now })
      : undefined
    const id = newRowId()
    const data = { wallet_id: id, account_id: params.accountId, blockchain, status: 'PENDING' }
    const [wallet] = await Promise.all([
      insertWallet(tx, tenantId, {
        name,
        provider,
        type,
        id,
        accountId: params.accountId,
        publicAddress,
        blockchain,
        status: 'PENDING',
        challengeNonce: challenge?.nonce ?? null,
        challengeExpiresAt: challenge?.expiresAt ?? null,
        provenAt: null,
      }),
      recordEvent(tx, tenantId, { type: 'wallet.registered', data }),
    ])
    // The rollback also undoes the count and the event.
    if (!wallet)
      throw new ApiError(walletErrors.wallet_already_registered, 'This address is already registered on this chain.')
    audit({ action: 'wallet.registered', subject: { type: 'wallet', id }, after: data })
    return { ...viewOperatorWallet(wallet), challenge: challenge?.message ?? null }
  },
  { policy: 'wallet_registration', subject: 'account' },
)
