import { isBlockchain } from './blockchains.ts'
import type { OpenChallenge } from './challenge.ts'
import type { WalletRow } from './wallet.sql.ts'

/** Returns the challenge that the owner has to sign; undefined if there is none. */
export function openChallengeOf(wallet: WalletRow): OpenChallenge | undefined {
  const { id: walletId, accountId, publicAddress, blockchain } = wallet
  const { challengeNonce: nonce, challengeExpiresAt: expiresAt } = wallet
  return nonce && expiresAt && isBlockchain(blockchain)
    ? { walletId, accountId, publicAddress, blockchain, nonce, expiresAt }
    : undefined
}
