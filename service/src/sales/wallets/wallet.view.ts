import type { Static } from 'typebox'
import type { WalletWithMessage } from './add-wallet.ts'
import type { Wallet, WalletChallenge } from './wallet.schema.ts'
import type { WalletSummaryRow } from './wallet.sql.ts'

export function viewWallet({
  id,
  publicAddress,
  name,
  provider,
  type,
  status,
}: WalletSummaryRow): Static<typeof Wallet> {
  return { id, public_address: publicAddress, name, provider, type, status }
}

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
