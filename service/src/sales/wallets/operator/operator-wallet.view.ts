import type { Static } from 'typebox'
import type { WalletWithMessage } from '../add-wallet.ts'
import type { WalletRow } from '../wallet.sql.ts'
import type { ChallengedWallet, OperatorWallet } from './operator-wallet.schema.ts'

/** Leaves out the nonce, which is part of the challenge. */
export function viewOperatorWallet(row: WalletRow): Static<typeof OperatorWallet> {
  return {
    id: row.id,
    account_id: row.accountId,
    public_address: row.publicAddress,
    blockchain: row.blockchain,
    name: row.name,
    provider: row.provider,
    type: row.type,
    status: row.status,
    challenge_expires_at: row.challengeExpiresAt?.toISOString() ?? null,
    proven_at: row.provenAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
  }
}

export function viewChallengedWallet({ wallet, message }: WalletWithMessage): Static<typeof ChallengedWallet> {
  return { ...viewOperatorWallet(wallet), challenge: message }
}
