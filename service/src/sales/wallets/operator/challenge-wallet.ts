import { isAddress } from 'viem/utils'
import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { isBlockchain } from '../blockchains.ts'
import { newChallenge } from '../challenge.ts'
import { walletErrors } from '../wallet.errors.ts'
import { WalletPath } from '../wallet.schema.ts'
import { canMove } from '../wallet-status.ts'
import { recordWalletEvent } from './move-wallet.ts'
import { ChallengedWallet } from './operator-wallet.schema.ts'
import { lockWallet, updateLockedWallet } from './operator-wallet.sql.ts'
import { viewOperatorWallet } from './operator-wallet.view.ts'
import { rejectMove, walletNotFound } from './reject-move.ts'

export const challengeWallet = operatorOperation(
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
  async ({ params }, { tenantId, tx, now, walletProofUrl, audit }) => {
    const key = { tenantId, ...params }
    const wallet = await lockWallet(tx, key)
    if (!wallet) throw walletNotFound()
    const isReopened = canMove(wallet.status, 'reopen')
    const { publicAddress, blockchain } = wallet
    if (!isReopened && wallet.status !== 'PENDING') throw rejectMove(wallet, 'reopen')
    // A wallet of another chain, or of an older release, for which no message can be signed.
    if (!isBlockchain(blockchain) || !isAddress(publicAddress, { strict: false }))
      throw new ApiError(
        walletErrors.wallet_not_reopenable,
        `The service cannot verify who owns this address on ${blockchain}. Register a wallet on another chain.`,
      )

    const challenge = newChallenge({ publicAddress, blockchain }, { walletProofUrl, now })
    const challenged = {
      ...wallet,
      status: 'PENDING' as const,
      challengeNonce: challenge.nonce,
      challengeExpiresAt: challenge.expiresAt,
      provenAt: null,
    }
    await Promise.all([
      updateLockedWallet(tx, tenantId, challenged),
      ...(isReopened ? [recordWalletEvent(tx, key, 'wallet.reopened', { from: wallet, to: challenged })] : []),
    ])
    const stateOf = ({ status, challengeExpiresAt }: typeof wallet) => ({
      status,
      challenge_expires_at: challengeExpiresAt?.toISOString() ?? null,
    })
    audit({
      action: isReopened ? 'wallet.reopened' : 'wallet.challenged',
      subject: { type: 'wallet', id: wallet.id },
      before: stateOf(wallet),
      after: stateOf(challenged),
    })
    return { ...viewOperatorWallet(challenged), challenge: challenge.message }
  },
)
