import type { Transaction } from '../../platform/db/transaction.ts'
import type { Chain } from '../chain/chain.ts'
import type { SignerKey } from './key-backend.ts'
import { findSigner, raiseNonce } from './signer.sql.ts'

/**
 * Raises a signer's next nonce to the one that the chain expects. Needed after a database was restored from a backup:
 * otherwise every op with an already used nonce would end in ALARM. Returns the next nonce before and after, or
 * undefined if the tenant has no signer on this chain.
 */
export async function catchUpSigner(
  tx: Transaction,
  chain: Chain,
  key: SignerKey,
): Promise<{ before: number; after: number } | undefined> {
  const signer = await findSigner(tx, key)
  if (!signer) return undefined
  const used = await chain.transactionCount(signer.address, 'latest')
  return { before: signer.nextNonce, after: await raiseNonce(tx, key, used) }
}
