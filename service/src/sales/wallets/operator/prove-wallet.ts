import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { recheckMintPreconditions } from '../../accounts/recheck-mint-preconditions.ts'
import { recheckRegistrations } from '../../accounts/recheck-registrations.ts'
import { isBlockchain } from '../blockchains.ts'
import { domainOf } from '../challenge.ts'
import { findProofProblem, type OpenChallenge } from '../proof.ts'
import { walletErrors } from '../wallet.errors.ts'
import { WalletPath } from '../wallet.schema.ts'
import type { WalletRow } from '../wallet.sql.ts'
import { canMove } from '../wallet-status.ts'
import { recordWalletEvent } from './move-wallet.ts'
import { OperatorWallet, WalletProof } from './operator-wallet.schema.ts'
import { lockWallet, updateLockedWallet } from './operator-wallet.sql.ts'
import { viewOperatorWallet } from './operator-wallet.view.ts'
import { rejectMove, walletNotFound } from './reject-move.ts'

export const proveWallet = operatorOperation(
  {
    id: 'proveWallet',
    summary: 'Prove the ownership of a wallet',
    description:
      'Accepts the challenge that the owner signed and makes the wallet `ACTIVE`. A challenge is accepted once; a ' +
      'retry with the same idempotency key returns the same response. Contract wallets (EIP-1271) are not supported.',
    tag: 'Wallets',
    method: 'POST',
    path: '/accounts/:accountId/wallets/:walletId/prove',
    duty: 'compliance',
    approval: 'never',
    idempotency: 'optional',
    params: WalletPath,
    body: WalletProof,
    success: { status: 200, body: OperatorWallet },
    errors: [requestErrors.not_found, walletErrors.wallet_not_provable, walletErrors.wallet_proof_invalid],
  },
  async ({ params, body }, { tenantId, tx, now, walletProofUrl, audit }) => {
    const key = { tenantId, ...params }
    const wallet = await lockWallet(tx, key)
    if (!wallet) throw walletNotFound()
    if (!canMove(wallet.status, 'prove')) throw rejectMove(wallet, 'prove')
    const challenge = challengeOf(wallet)
    if (!challenge)
      throw new ApiError(
        walletErrors.wallet_not_provable,
        isBlockchain(wallet.blockchain)
          ? 'The wallet has no challenge. Get one with POST …/challenge.'
          : `The service cannot verify who owns an address on ${wallet.blockchain}.`,
      )
    const problem = await findProofProblem(challenge, body, { domain: domainOf(walletProofUrl), now })
    if (problem) throw new ApiError(walletErrors.wallet_proof_invalid, problem)

    const proven = {
      ...wallet,
      status: 'ACTIVE' as const,
      challengeNonce: null,
      challengeExpiresAt: null,
      provenAt: now,
    }
    await Promise.all([
      updateLockedWallet(tx, tenantId, proven),
      recordWalletEvent(tx, key, 'wallet.activated', { from: wallet, to: proven }),
      recheckMintPreconditions(tx, key),
      recheckRegistrations(tx, key),
    ])
    audit({
      action: 'wallet.activated',
      subject: { type: 'wallet', id: wallet.id },
      before: { status: wallet.status },
      after: { status: proven.status },
    })
    return viewOperatorWallet(proven)
  },
)

function challengeOf(wallet: WalletRow): OpenChallenge | undefined {
  const { publicAddress, blockchain, challengeNonce: nonce, challengeExpiresAt: expiresAt } = wallet
  return nonce && expiresAt && isBlockchain(blockchain) ? { publicAddress, blockchain, nonce, expiresAt } : undefined
}
