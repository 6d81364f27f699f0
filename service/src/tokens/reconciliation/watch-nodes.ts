import type pg from 'pg'
import { type LoopContext, loop } from '../../platform/jobs/loop.ts'
import { ChainUnavailable, NodesDisagree, WrongChain } from '../chain/chain.ts'
import type { ChainContext } from '../chain/chain-context.ts'
import { storeChainStatus } from '../chain/chain-status.sql.ts'
import { stopMintingOnChain } from './stop-minting-on-chain.ts'

/** Checks that the nodes belong to their chains and agree. Runs at the start of a worker too. */
export const watchNodes = loop({
  name: 'watch-nodes',
  everyMs: 10_000,
  run: (context: LoopContext & ChainContext) => checkNodes(context.pool, context),
})

export async function checkNodes(
  cell: pg.Pool,
  context: Pick<ChainContext, 'chains' | 'databases' | 'placement' | 'clock' | 'log'>,
): Promise<void> {
  for (const chain of context.chains.values())
    try {
      await chain.check()
      const [head, finalized] = await Promise.all([chain.head(), chain.finalized()])
      await storeChainStatus(cell, chain.name, { head, finalized }, context.clock())
    } catch (error) {
      if (!(error instanceof ChainUnavailable)) throw error
      const fields = { err: error, chain: chain.name }
      await storeChainStatus(cell, chain.name, { problem: error.message }, context.clock())
      if (error instanceof WrongChain) context.log.error(fields, 'the node belongs to another chain: nothing is signed')
      else context.log.warn(fields, 'the nodes of the chain do not agree or respond; work on it waits')
      if (error instanceof NodesDisagree) await stopMintingOnChain(cell, context, chain.name)
    }
}
