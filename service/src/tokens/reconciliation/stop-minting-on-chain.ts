import type pg from 'pg'
import { type ChainContext, inTenantWrite } from '../chain/chain-context.ts'
import { mintingOfferings, nodesDisagreeOn, stopMinting } from './reconcile.sql.ts'

/**
 * Stops the minting of every offering of a cell on a chain whose nodes disagree on a finalized block: it is unknown
 * what has been minted. An admin resumes it, as after a difference.
 */
export async function stopMintingOnChain(
  cell: pg.Pool,
  context: Pick<ChainContext, 'databases' | 'placement' | 'log'>,
  chain: string,
): Promise<void> {
  const reason = nodesDisagreeOn(chain)
  for await (const key of mintingOfferings(cell, chain)) {
    const isNew = await inTenantWrite(context, key.tenantId, (tx) => stopMinting(tx, key, reason))
    const fields = { tenant_id: key.tenantId, chain, problem: reason }
    if (isNew) context.log.error(fields, 'the nodes of the chain disagree: minting is stopped')
  }
}
