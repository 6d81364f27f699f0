import closeWithGrace from 'close-with-grace'
import { fastify } from 'fastify'
import { serveHealth } from '../platform/api/server/health.ts'
import { createLogger } from '../platform/base/log.ts'
import { CacheInvalidations } from '../platform/db/cache-invalidations.ts'
import { Placement } from '../platform/db/placement.ts'
import { createPool, openDatabases } from '../platform/db/pools.ts'
import { openChains } from '../tokens/chain/open-chains.ts'
import { followChain } from '../tokens/indexer/follow-chain.ts'
import { IndexerHealth } from '../tokens/indexer/indexer-health.ts'
import { readWorkerConfigOrExit } from './start.ts'
import { flushTraces } from './telemetry.ts'

const config = readWorkerConfigOrExit()
const log = createLogger(config.logLevel, 'indexer')
const databases = openDatabases(config, log)
const placement = new Placement(databases)
const invalidations = new CacheInvalidations(databases, log)
invalidations.listen((subject) => placement.forget(subject))
invalidations.start()
const context = { databases, placement, log }

const pools = [...config.workerCells].map(([cell, url]) => ({
  cell,
  pool: createPool({ url, role: 'investor_token_worker', cell }, config, log),
}))
const chains = [...openChains(config, log).values()]
const followed = pools.flatMap((cell) => chains.map((chain) => followChain(chain, cell, context)))
if (followed.length === 0) log.warn('CHAINS is empty: there is nothing to index')

const health = new IndexerHealth(followed)
const app = fastify({ logger: false })
serveHealth(app, health, { log })
await app.listen({ host: config.metricsHost, port: config.indexerPort })
const address = app.server.address()
log.info(
  {
    address: config.metricsHost,
    port: typeof address === 'object' ? address?.port : undefined,
    environment: config.environment,
    count: followed.length,
  },
  'listening',
)

closeWithGrace({ delay: 30_000, logger: false }, async ({ signal, err }) => {
  if (err) log.error({ err }, 'stopping because of an uncaught error')
  log.info({ signal }, 'stopping')
  health.drain()
  await Promise.all([...followed, invalidations].map((work) => work.stop()))
  await app.close()
  await Promise.all(pools.map(({ pool }) => pool.end()))
  await databases.end()
  await flushTraces()
  log.info('stopped')
})
