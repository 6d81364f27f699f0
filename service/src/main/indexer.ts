import closeWithGrace from 'close-with-grace'
import { listenForProbes } from '../platform/api/server/health-server.ts'
import { createLogger } from '../platform/base/log.ts'
import { CacheInvalidations } from '../platform/db/cache-invalidations.ts'
import { followCells } from '../platform/db/follow-cells.ts'
import { Placement } from '../platform/db/placement.ts'
import { createPool, openDatabases } from '../platform/db/pools.ts'
import { ServedCells } from '../platform/jobs/served-cells.ts'
import { openChains } from '../tokens/chain/open-chains.ts'
import { followChain } from '../tokens/indexer/follow-chain.ts'
import { IndexerHealth } from '../tokens/indexer/indexer-health.ts'
import { indexerConnections } from './connections.ts'
import { readWorkerConfigOrExit } from './start.ts'
import { flushTraces } from './telemetry.ts'

const config = readWorkerConfigOrExit()
const log = createLogger(config.logLevel, 'indexer')
const connections = indexerConnections(config)
const databases = openDatabases(config, log, { max: connections.app })
const placement = new Placement(databases)
const invalidations = new CacheInvalidations(databases, log)
invalidations.listen((subject) => placement.forget(subject))
invalidations.start()
const context = { databases, placement, log }

const cells = await followCells(databases, invalidations, log)
const chains = [...openChains(config, log).values()]
if (chains.length === 0) log.warn('CHAINS is empty: there is nothing to index')
const served = new ServedCells({ kind: 'indexer', config, databases, log, start: indexCell })
await served.start()
const followed = () => served.units().flatMap((unit) => unit.followed)

const health = new IndexerHealth(followed)
const { metricsHost: host, environment } = config
const probes = await listenForProbes(health, { host, port: config.indexerPort, log })
log.info({ address: host, port: probes.port, environment, count: followed().length }, 'listening')

closeWithGrace({ delay: 30_000, logger: false }, async ({ signal, err }) => {
  if (err) log.error({ err }, 'stopping because of an uncaught error')
  log.info({ signal }, 'stopping')
  health.drain()
  await Promise.all([served, invalidations, cells].map((work) => work.stop()))
  await probes.close()
  await databases.end()
  await flushTraces()
  log.info('stopped')
})

/** All chains, for one cell. */
function indexCell(cell: string, url: string) {
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
