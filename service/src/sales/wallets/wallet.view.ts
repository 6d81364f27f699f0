import type { Static } from 'typebox'
import { viewOf } from '../../platform/api/declare/view-of.ts'
import type { WalletWithMessage } from './add-wallet.ts'
import { Wallet, type WalletChallenge } from './wallet.schema.ts'

export const viewWallet = viewOf(Wallet)

export function viewWalletChallenge({ wallet, message }: WalletWithMessage): Static<typeof WalletChallenge> {
  const { accountId, blockchain, challengeExpiresAt } = wallet
  return {
    ...viewWallet(wallet),
    account_id: accountId,
    blockchain,
    challenge: message,
    challenge_expires_at: challengeExpiresAt?.toISOString() ?? null,
  }
}
