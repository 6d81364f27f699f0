import type { Actor } from '../../platform/api/declare/audit.ts'
import { inCellTransaction } from '../../platform/postgres/cells/tenant-transaction.ts'
import type { Databases } from '../../platform/postgres/pools.ts'
import { appendAudit } from '../../records/audit/append-audit.sql.ts'
import type { Chain } from '../chain/chain.ts'
import { catchUpSigner, waitForPendingNonces } from '../signers/catch-up-signer.ts'
import { findSigner } from '../signers/signer.sql.ts'
import { describeTransaction, transactionsSince } from './foreign-transactions.ts'
import { type RestoredSigner, selectKnownNonces } from './restored-signer.sql.ts'

export interface CaughtUpSigner {
  lines: string[]
  /** Number of transactions that still wait in the node. */
  pending: number
}

/**
 * Waits until no transaction of the signer is pending, raises its next nonce above all that were used, and describes
 * the transactions that the restored database does not know: a person must decide whether to repeat their effects.
 */
export async function catchUpRestoredSigner(
  { databases, cell, chain, by }: { databases: Databases; cell: string; chain: Chain; by: Actor },
  { tenantId, chain: name, finalized }: RestoredSigner,
  pendingMsMax: number,
): Promise<CaughtUpSigner> {
  const key = { tenantId, chain: name }
  const inCell = { cell, tenantId }
  const signer = await inCellTransaction(databases, inCell, (tx) => findSigner(tx, key))
  if (!signer) throw new Error('a signer of the cell was not found')
  const { address } = signer
  const used = await waitForPendingNonces(chain, address, pendingMsMax)
  const [nonces, known] = await inCellTransaction(databases, inCell, async (tx) => {
    const caughtUp = await catchUpSigner(tx, key, used)
    if (caughtUp && caughtUp.after !== caughtUp.before)
      await appendAudit(tx, by, {
        action: 'tenant.signer_caught_up',
        subject: { type: 'tenant', id: tenantId },
        before: { chain: name, next_nonce: caughtUp.before },
        after: { chain: name, next_nonce: caughtUp.after },
      })
    return [caughtUp, await selectKnownNonces(tx, key)]
  })
  const title = `signer ${address} on ${name}, tenant ${tenantId}: next nonce ${nonces?.after}`
  const unknown = Array.from({ length: used.latest }, (_, nonce) => nonce).filter((nonce) => !known.has(nonce))
  const waiting = used.pending - used.latest
  return {
    pending: waiting,
    lines: [
      `${title}, ${unknown.length} used nonces are unknown here`,
      ...(waiting > 0 ? [`  ${waiting} of its transactions still wait in the node`] : []),
      ...(unknown.length > 0 ? await describeUnknown(chain, address, new Set(unknown), finalized ?? 0n) : []),
    ],
  }
}

async function describeUnknown(chain: Chain, address: `0x${string}`, unknown: Set<number>, after: bigint) {
  const found = await transactionsSince(chain, address, after)
  if (!found) return [`  the node does not have block ${after} any more: look up ${address} in an explorer`]
  const lines = found.transactions
    .filter(({ nonce }) => unknown.has(nonce))
    .map((one) => `  ${describeTransaction(one)}`)
  return found.isComplete ? lines : [...lines, `  and more: look up ${address} in an explorer`]
}
