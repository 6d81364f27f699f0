import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from 'viem'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { Chain } from '../chain/chain.ts'
import type { SignerKey } from './key-backend.ts'
import { findSigner, raiseNonce } from './signer.sql.ts'

/** Numbers of nonces that a signer has used: in blocks, and including transactions that wait in the node. */
export interface UsedNonces {
  readonly latest: number
  readonly pending: number
}

export async function readUsedNonces(chain: Chain, address: Address): Promise<UsedNonces> {
  const [latest, pending] = await Promise.all([
    chain.transactionCount(address, 'latest'),
    chain.transactionCount(address, 'pending'),
  ])
  return { latest, pending: Math.max(latest, pending) }
}

/** Waits until no transaction of the signer is pending, at most this long. Returns the last counts of the node. */
export async function waitForPendingNonces(chain: Chain, address: Address, msMax: number): Promise<UsedNonces> {
  const endsAt = performance.now() + msMax
  for (;;) {
    const used = await readUsedNonces(chain, address)
    if (used.latest === used.pending || performance.now() >= endsAt) return used
    await sleep(Math.min(1_000, msMax))
  }
}

/**
 * Raises a signer's next nonce above those that the chain has used, or that wait in a node. Needed after a database was
 * restored from a backup: otherwise every op with an already used nonce would end in ALARM. Returns the next nonce
 * before and after, or undefined if the tenant has no signer on this chain. The caller reads the nonces before the
 * transaction, which PostgreSQL would end if it waited for a slow node.
 */
export async function catchUpSigner(
  tx: Transaction,
  key: SignerKey,
  { pending }: UsedNonces,
): Promise<{ before: number; after: number } | undefined> {
  const signer = await findSigner(tx, key)
  return signer && { before: signer.nextNonce, after: await raiseNonce(tx, key, pending) }
}
