import { isAddress } from 'viem/utils'
import { ApiError } from '../../platform/api/errors/errors.ts'
import type { WalletContext, WalletWithMessage } from './add-wallet.ts'
import { isBlockchain } from './blockchains.ts'
import { challengeMessage, issuedAtOf, newChallenge, openChallengeOf } from './challenge.ts'
import { challengeSiteOf } from './challenge-site.ts'
import { recordWalletEvent } from './operator/move-wallet.ts'
import { lockWallet, updateLockedWallet } from './operator/operator-wallet.sql.ts'
import { rejectMove, walletNotFound } from './operator/reject-move.ts'
import { walletErrors } from './wallet.errors.ts'
import type { WalletKey, WalletRow } from './wallet.sql.ts'
import { canMove } from './wallet-status.ts'

/**
 * Replaces the challenge of a wallet and reopens an EXPIRED or INACTIVE one. Returns a challenge younger than `keepMs`
 * again, so that repeating the request does not invalidate a message that an investor is signing.
 */
export async function renewChallenge(
  context: WalletContext,
  key: WalletKey,
  { keepMs }: { keepMs: number },
): Promise<WalletWithMessage> {
  const { tenantId, tx, now, audit } = context
  const [wallet, site] = await tx.batch(
    (tx) => lockWallet(tx, key),
    (tx) => challengeSiteOf({ ...context, tx }),
  )
  if (!wallet) throw walletNotFound()
  const isReopened = canMove(wallet.status, 'reopen')
  const { publicAddress, blockchain } = wallet
  if (!isReopened && wallet.status !== 'PENDING') throw rejectMove(wallet, 'reopen')
  // A wallet on another chain, or of an older release, for which there is no message to sign.
  if (!isBlockchain(blockchain) || !isAddress(publicAddress, { strict: false }))
    throw new ApiError(
      walletErrors.wallet_not_reopenable,
      `The service cannot verify who owns this address on ${blockchain}. Register a wallet on another chain.`,
    )

  const open = openChallengeOf(wallet)
  if (open && now.getTime() - issuedAtOf(open).getTime() < keepMs) {
    audit('nothing changed')
    return { wallet, message: challengeMessage(open, site) }
  }
  const challenge = newChallenge({ walletId: wallet.id, accountId: wallet.accountId, publicAddress, blockchain }, now)
  const challenged = {
    ...wallet,
    status: 'PENDING' as const,
    challengeNonce: challenge.nonce,
    challengeExpiresAt: challenge.expiresAt,
    provenAt: null,
  }
  await tx.batch(
    (tx) => updateLockedWallet(tx, tenantId, challenged),
    (tx) => isReopened && recordWalletEvent(tx, key, 'wallet.reopened', { from: wallet, to: challenged }),
  )
  audit({
    action: isReopened ? 'wallet.reopened' : 'wallet.challenged',
    subject: { type: 'wallet', id: wallet.id },
    before: stateOf(wallet),
    after: stateOf(challenged),
  })
  return { wallet: challenged, message: challengeMessage(challenge, site) }
}

function stateOf({ status, challengeExpiresAt }: WalletRow) {
  return { status, challenge_expires_at: challengeExpiresAt?.toISOString() ?? null }
}
