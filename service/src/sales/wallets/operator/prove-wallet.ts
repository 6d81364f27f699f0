import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { announceGateChange } from '../../accounts/recheck-mint-preconditions.ts'
import { isBlockchain } from '../blockchains.ts'
import { domainOf } from '../challenge.ts'
import { type OpenChallenge, problemOfProof } from '../proof.ts'
import { walletErrors } from '../wallet.errors.ts'
import { WalletPath } from '../wallet.schema.ts'
import { canMove } from '../wallet-status.ts'
import { tellMove } from './move-wallet.ts'
import { OperatorWallet, WalletProof } from './operator-wallet.schema.ts'
import { lockWallet, type OperatorWalletRow, updateLockedWallet } from './operator-wallet.sql.ts'
import { viewOperatorWallet } from './operator-wallet.view.ts'
import { noSuchWallet, refusedMove } from './wallet-errors.ts'

export const proveWallet = operatorOperation(
  {
    id: 'proveWallet',
    summary: 'Prove the ownership of a wallet',
    description:
      'Takes the challenge as its owner signed it and makes the wallet `ACTIVE`. A challenge proves once: sent again ' +
      'it is refused, unless it is the same request by its key. Call it by the same host that gave the challenge. ' +
      'Wallets that are contracts (EIP-1271) cannot prove themselves here.',
    tag: 'Wallets',
    method: 'POST',
    path: '/accounts/:accountId/wallets/:walletId/prove',
    role: 'operator',
    idempotency: 'optional',
    params: WalletPath,
    body: WalletProof,
    success: { status: 200, body: OperatorWallet },
    errors: [requestErrors.not_found, walletErrors.wallet_not_provable, walletErrors.wallet_proof_invalid],
  },
  async ({ params, body }, { tenantId, tx, now, here, audit }) => {
    const key = { tenantId, ...params }
    const wallet = await lockWallet(tx, key)
    if (!wallet) throw noSuchWallet()
    if (!canMove(wallet.status, 'prove')) throw refusedMove(wallet, 'prove')
    const challenge = challengeOf(wallet)
    if (!challenge)
      throw new ApiError(walletErrors.wallet_not_provable, 'The wallet has no challenge yet: ask for one.')
    const problem = await problemOfProof(challenge, body, { domain: domainOf(here), now })
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
      tellMove(tx, key, 'wallet.activated', { from: wallet, to: proven }),
      announceGateChange(tx, key),
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

function challengeOf(wallet: OperatorWalletRow): OpenChallenge | undefined {
  const { publicAddress, blockchain, challengeNonce: nonce, challengeExpiresAt: expiresAt } = wallet
  return nonce && expiresAt && isBlockchain(blockchain) ? { publicAddress, blockchain, nonce, expiresAt } : undefined
}
