import type { Static } from 'typebox'
import type { TenantContext } from '../../platform/api/declare/operation.ts'
import { ApiError, validationFailed } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { newRowId } from '../../platform/base/ids.ts'
import { recordEvent } from '../../records/events/event.sql.ts'
import { lockAccount } from '../accounts/account.sql.ts'
import { requireNotErased } from '../accounts/require-not-erased.ts'
import { isBlockchain } from './blockchains.ts'
import { challengeMessage, newChallenge } from './challenge.ts'
import { challengeSiteOf } from './challenge-site.ts'
import { nativeAddressOf } from './native-address.ts'
import { insertWallet } from './operator/operator-wallet.sql.ts'
import { walletErrors } from './wallet.errors.ts'
import type { NewWallet } from './wallet.schema.ts'
import type { WalletRow } from './wallet.sql.ts'

export type WalletContext = Pick<TenantContext, 'tenantId' | 'tx' | 'now' | 'walletProofUrl' | 'audit'>

/** A wallet and the message that its owner has to sign; null if the service cannot verify owners on its chain. */
export interface WalletWithMessage {
  readonly wallet: WalletRow
  readonly message: string | null
}

/** Registers a wallet of an account, PENDING until its owner proves it. */
export async function addWallet(
  context: WalletContext,
  accountId: string,
  body: Static<typeof NewWallet>,
): Promise<WalletWithMessage> {
  const { tenantId, tx, now, audit } = context
  const address = nativeAddressOf(body)
  if ('detail' in address) throw validationFailed([address])
  const [account, site] = await tx.batch(
    (tx) => lockAccount(tx, { tenantId, accountId }),
    (tx) => challengeSiteOf({ ...context, tx }),
  )
  if (!account) throw new ApiError(requestErrors.not_found, 'Account not found.')
  requireNotErased(account)

  const { publicAddress, blockchain } = address
  const { name, provider, type } = body
  const id = newRowId()
  const challenge = isBlockchain(blockchain)
    ? newChallenge({ walletId: id, accountId, publicAddress, blockchain }, now)
    : undefined
  const data = { wallet_id: id, account_id: accountId, blockchain, status: 'PENDING' }
  const [wallet] = await tx.batch(
    (tx) =>
      insertWallet(tx, tenantId, {
        name,
        provider,
        type,
        id,
        accountId,
        publicAddress,
        blockchain,
        status: 'PENDING',
        challengeNonce: challenge?.nonce ?? null,
        challengeExpiresAt: challenge?.expiresAt ?? null,
        provenAt: null,
      }),
    (tx) => recordEvent(tx, tenantId, { type: 'wallet.registered', data }),
  )
  // The rollback also undoes the count and the event.
  if (!wallet)
    throw new ApiError(walletErrors.wallet_already_registered, 'This address is already registered on this chain.')
  audit({ action: 'wallet.registered', subject: { type: 'wallet', id }, after: data })
  return { wallet, message: challenge ? challengeMessage(challenge, site) : null }
}
