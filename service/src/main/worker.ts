import closeWithGrace from 'close-with-grace'
import pLimit from 'p-limit'
import { parseGwei } from 'viem'
import { loops, queues } from '../background.ts'
import { systemClock } from '../platform/base/clock.ts'
import { createLogger } from '../platform/base/log.ts'
import { CacheInvalidations } from '../platform/db/cache-invalidations.ts'
import { Placement } from '../platform/db/placement.ts'
import { createPool, openDatabases } from '../platform/db/pools.ts'
import { Vaults } from '../platform/db/vault.ts'
import { startLoops } from '../platform/jobs/loop.ts'
import { startWorker } from '../platform/jobs/worker.ts'
import { createMailer } from '../platform/mail/mailer.ts'
import { OutboundClient } from '../platform/outbound/outbound-client.ts'
import { dnsResolver, systemResolver } from '../platform/outbound/resolve-host.ts'
import { TargetRules } from '../platform/outbound/target-rules.ts'
import { openChains } from '../tokens/chain/open-chains.ts'
import { chainOpHandlers } from '../tokens/chain-op-handlers.ts'
import { Signers } from '../tokens/signers/signers.ts'
import { attemptsMax } from '../webhooks/schedule.ts'
import { readWorkerConfigOrExit } from './start.ts'
import { flushTraces } from './telemetry.ts'

// A queue keeps two connections open, one for LISTEN and one for the lock on its name; the rest fetch and finish jobs.
const highVolumeConnectionsMax = 4

const config = readWorkerConfigOrExit()
const log = createLogger(config.logLevel, 'worker')
const databases = openDatabases(config, log)
const mailer = createMailer(config.smtpUrl, config.mailFrom)
const placement = new Placement(databases)
const invalidations = new CacheInvalidations(databases, log)
invalidations.listen((subject) => placement.forget(subject))
invalidations.start()
const httpClient = new OutboundClient({
  rules: new TargetRules(config),
  resolveHost: config.environment === 'development' ? systemResolver : dnsResolver(),
  timeoutMs: config.webhookTimeoutMs,
})
const vaults = new Vaults(config.dataMasterKeys)
const context = {
  databases,
  placement,
  mailer,
  vaults,
  clock: systemClock,
  log,
  chains: openChains(config, log),
  signers: Signers.open(config, { databases, placement, vaults }),
  handlers: chainOpHandlers,
  bumpAfterMs: config.bumpSeconds * 1_000,
  feeMax: parseGwei(String(config.maxFeeGwei)),
  httpClient,
  deliveryAttemptsMax: attemptsMax(config.environment),
  // Half of the connections; the other half is for the remaining work of the process.
  limitTransactions: pLimit(Math.max(1, Math.floor(config.databasePoolMax / 2))),
}

/** With the login of the job queue. */
const openPool = (url: string, cell: string | undefined, max = config.databasePoolMax) =>
  createPool({ url, role: 'investor_token_worker', cell }, { ...config, databasePoolMax: max }, log)

// Every database has its own queues, so that a job commits with the rows that need it. With a single database the
// directory is also a cell.
const names = new Map<string, string>([
  [config.databaseUrl, 'directory'],
  ...[...config.cells].map(([cell, url]) => [url, cell] as const),
])
const served = [...names].map(([url, database]) => {
  const isCell = [...config.cells.values()].includes(url)
  const cell = isCell ? database : undefined
  const workerUrl = (isCell ? config.workerCells.get(database) : undefined) ?? config.workerDatabaseUrl
  const pool = openPool(workerUrl, cell)
  const started = queues
    .filter(({ isForCellsOnly }) => isCell || !isForCellsOnly)
    .map((queue) => {
      const queuePool = queue.isHighVolume ? openPool(workerUrl, cell, highVolumeConnectionsMax) : pool
      return { pool: queuePool, work: startWorker({ pool: queuePool, database }, queue, context) }
    })
  return {
    work: [
      ...started.map(({ work }) => work),
      ...(isCell ? startLoops(loops, { ...context, cell: database, pool }) : []),
    ],
    pools: new Set([pool, ...started.map((one) => one.pool)]),
  }
})
log.info({ environment: config.environment, count: served.length }, 'started')

closeWithGrace({ delay: 30_000, logger: false }, async ({ signal, err }) => {
  if (err) log.error({ err }, 'stopping because of an uncaught error')
  log.info({ signal }, 'stopping')
  await Promise.all([...served.flatMap(({ work }) => work), invalidations].map((work) => work.stop()))
  await Promise.all(served.flatMap(({ pools }) => [...pools]).map((pool) => pool.end()))
  httpClient.close()
  mailer.close()
  await databases.end()
  await flushTraces()
  log.info('stopped')
})
