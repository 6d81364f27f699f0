import type { Static } from 'typebox'
import type { OperatorWallet } from './operator-wallet.schema.ts'
import type { OperatorWalletRow } from './operator-wallet.sql.ts'

/** Without the nonce: whoever has the message has it. */
export function viewOperatorWallet(row: OperatorWalletRow): Static<typeof OperatorWallet> {
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
