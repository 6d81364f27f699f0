import { listenForProbes, ProcessHealth } from '../platform/api/server/health-server.ts'
import type { Config } from '../platform/base/config.ts'
import type { Logger } from '../platform/base/log.ts'
import { ServedCells } from '../platform/jobs/served-cells.ts'
import { CacheInvalidations } from '../platform/postgres/cells/cache-invalidations.ts'
import { followCells } from '../platform/postgres/cells/follow-cells.ts'
import { Placement } from '../platform/postgres/cells/placement.ts'
import { createPool, openDatabases } from '../platform/postgres/pools.ts'
import { openChains } from '../tokens/chain/open-chains.ts'
import { followChain } from '../tokens/indexer/follow-chain.ts'
import { indexerHealth } from '../tokens/indexer/indexer-health.ts'
import { indexerConnections } from './connections.ts'
import { type Lifetime, type ListeningAt, withLifetime } from './lifetime.ts'

/** Address for probes, and the number of chains that it follows at the start, counted once for each cell. */
export type OpenedIndexer = Lifetime<ListeningAt & { readonly count: number }>

/** Composes an indexer without anything that belongs to a process, as `openApi` does with an API. */
export function openIndexer(config: Config, log: Logger): Promise<OpenedIndexer> {
  return withLifetime(async (closing) => {
    const connections = indexerConnections(config)
    const databases = openDatabases(config, log, { max: connections.app })
    closing.defer(() => databases.end())
    const placement = new Placement(databases)
    const invalidations = new CacheInvalidations(databases, log)
    invalidations.listen((subject) => placement.forget(subject))
    const context = { databases, placement, log }
    const chains = [...openChains(config, log).values()]
    if (chains.length === 0) log.warn('CHAINS is empty: there is nothing to index')

    /** Follows all chains, for one cell. */
    const indexCell = (cell: string, url: string) => {
      const pool = createPool({ url, role: 'investor_token_worker', cell, max: connections.worker }, config, log)
      const ofCell = chains.map((chain) => followChain(chain, { cell, pool }, context))
      return {
        followed: ofCell,
        stop: async () => {
          await Promise.all(ofCell.map((one) => one.stop()))
          await pool.end()
        },
      }
    }
    let probes: Awaited<ReturnType<typeof listenForProbes>> | undefined
    // Runs after its work has ended, so that until then the probes report that it is about to stop.
    closing.defer(() => probes?.close())
    const served = new ServedCells({ kind: 'indexer', config, databases, log, start: indexCell })
    const followed = () => served.units().flatMap((unit) => unit.followed)
    const health = new ProcessHealth(() => indexerHealth(followed()))
    const cells = await followCells(databases, invalidations, log)
    closing.defer(async () => {
      health.drain()
      await Promise.all([served, invalidations, cells].map((work) => work.stop()))
    })

    return {
      start: async () => {
        invalidations.start()
        await served.start()
        const host = config.metricsHost
        probes = await listenForProbes(health, { host, port: config.indexerPort, log })
        return { address: host, port: probes.port, count: followed().length }
      },
      drain: () => health.drain(),
    }
  })
}
