import type { TenantContext } from '../../platform/api/declare/operation.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import type { WalletContext } from './add-wallet.ts'
import { isBlockchain } from './blockchains.ts'
import { openChallengeOf } from './challenge.ts'
import { challengeSiteOf } from './challenge-site.ts'
import { storeMove } from './operator/move-wallet.ts'
import { lockWallet } from './operator/operator-wallet.sql.ts'
import { rejectMove, walletNotFound } from './operator/reject-move.ts'
import { requireProof } from './proof.ts'
import { walletErrors } from './wallet.errors.ts'
import type { WalletKey, WalletRow } from './wallet.sql.ts'
import { canMove } from './wallet-status.ts'

/** Makes a wallet ACTIVE if its owner signed the open challenge, which is used up. */
export async function activateWallet(
  context: WalletContext & Pick<TenantContext, 'contractSignature'>,
  key: WalletKey,
  proof: { message: string; signature: string },
): Promise<WalletRow> {
  const { tx, now, contractSignature } = context
  const [wallet, site] = await tx.batch(
    (tx) => lockWallet(tx, key),
    (tx) => challengeSiteOf({ ...context, tx }),
  )
  if (!wallet) throw walletNotFound()
  if (!canMove(wallet.status, 'prove')) throw rejectMove(wallet, 'prove')
  const challenge = openChallengeOf(wallet)
  if (!challenge)
    throw new ApiError(
      walletErrors.wallet_not_provable,
      isBlockchain(wallet.blockchain)
        ? 'The wallet has no challenge. Get one with POST …/challenge.'
        : `The service cannot verify who owns an address on ${wallet.blockchain}.`,
    )
  await requireProof(challenge, proof, { site, now, contractSignature })

  const proven = {
    ...wallet,
    status: 'ACTIVE' as const,
    challengeNonce: null,
    challengeExpiresAt: null,
    provenAt: now,
  }
  await storeMove(context, key, { from: wallet, to: proven, type: 'wallet.activated' })
  return proven
}
