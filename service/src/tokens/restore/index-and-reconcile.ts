import type pg from 'pg'
import type { Chain } from '../chain/chain.ts'
import type { ChainContext } from '../chain/chain-context.ts'
import { ChainIndexer } from '../indexer/chain-indexer.ts'
import { CursorMoved } from '../indexer/cursor.sql.ts'
import { selectReconcilableOfferings } from '../reconciliation/reconcile.sql.ts'
import { reconcile, reconcileAndStop } from '../reconciliation/reconcile.ts'

/** A reorg makes the indexer start again; more of them in a row mean that the node is broken. */
const runsMax = 10
const pageMax = 100

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
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const page = await selectReconcilableOfferings(cell, [...context.chains.keys()], after, pageMax)
    for (const key of page) {
      const result = await reconcile(context, key)
      if (!result) continue
      compared += 1
      if (result.differences.length === 0) continue
      await reconcileAndStop(context, key)
      lines.push(
        `offering ${key.offeringId}, tenant ${key.tenantId}: minting is stopped: ${result.differences.join('; ')}`,
      )
    }
    if (page.length < pageMax) return [`${compared} tokens compared, ${lines.length} differ`, ...lines]
    after = page.at(-1)?.offeringId ?? after
  }
}
