import type pg from 'pg'
import type { Chain } from '../chain/chain.ts'
import type { ChainContext } from '../chain/chain-context.ts'
import { ChainIndexer } from '../indexer/chain-indexer.ts'
import { CursorMoved } from '../indexer/cursor.sql.ts'
import { reconcilableOfferings } from '../reconciliation/reconcile.sql.ts'
import { reconcile, reconcileAndStop } from '../reconciliation/reconcile.ts'

/** A reorg makes the indexer start again; more of them in a row mean that the node is broken. */
const runsMax = 10

/**
 * Reads a chain after the restored moment: orders that were minted then become MINTED. A mint for an order that the
 * database does not have is missing from the ledger, so the comparison stops minting of its offering.
 */
export async function indexToHead(chain: Chain, cell: pg.Pool, context: ChainContext): Promise<string> {
  const indexer = new ChainIndexer(chain, cell, context)
  for (let run = 1; ; run += 1)
    try {
      await indexer.readToHead()
      return `${chain.name}: indexed to block ${indexer.progress?.indexed.number ?? 0n}`
    } catch (error) {
      if (!(error instanceof CursorMoved) || run === runsMax) throw error
    }
}

/** Compares all tokens of a cell with their chains, and stops minting where they differ. */
export async function reconcileRestored(cell: pg.Pool, context: ChainContext): Promise<string[]> {
  const lines: string[] = []
  let compared = 0
  for await (const key of reconcilableOfferings(cell, [...context.chains.keys()])) {
    const result = await reconcile(context, key)
    if (!result) continue
    compared += 1
    if (result.differences.length === 0) continue
    await reconcileAndStop(context, key)
    const differences = result.differences.join('; ')
    lines.push(`offering ${key.offeringId}, tenant ${key.tenantId}: minting is stopped: ${differences}`)
  }
  return [`${compared} tokens compared, ${lines.length} differ`, ...lines]
}
