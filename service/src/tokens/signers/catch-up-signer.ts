import type { Transaction } from '../../platform/db/transaction.ts'
import type { Chain } from '../chain/chain.ts'
import { findSigner, raiseNonce, type SignerKey } from './signer.sql.ts'

/**
 * Takes the numbers of a signer to where the chain is, after a database was restored from a backup: else every op up to
 * there would end in an alarm. Tells the numbers, or undefined where the tenant has no signer on this chain.
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
