import closeWithGrace from 'close-with-grace'
import pLimit from 'p-limit'
import { parseGwei } from 'viem'
import { directoryLoops, loops, queues } from '../background.ts'
import { listenForProbes } from '../platform/api/server/health-server.ts'
import { systemClock } from '../platform/base/clock.ts'
import { operatorUrlOf } from '../platform/base/config.ts'
import { createLogger } from '../platform/base/log.ts'
import { CacheInvalidations } from '../platform/db/cache-invalidations.ts'
import { Placement } from '../platform/db/placement.ts'
import { createPool, openDatabases } from '../platform/db/pools.ts'
import { Vaults } from '../platform/db/vault.ts'
import { startLoops } from '../platform/jobs/loop.ts'
import { QueueSession } from '../platform/jobs/queue-session.ts'
import { startWorker } from '../platform/jobs/worker.ts'
import { WorkerHealth } from '../platform/jobs/worker-health.ts'
import { createMailer } from '../platform/mail/mailer.ts'
import { OutboundClient } from '../platform/outbound/outbound-client.ts'
import { dnsResolver, systemResolver } from '../platform/outbound/resolve-host.ts'
import { TargetRules } from '../platform/outbound/target-rules.ts'
import { openChains } from '../tokens/chain/open-chains.ts'
import { chainOpHandlers } from '../tokens/chain-op-handlers.ts'
import { startCountingOpFailures } from '../tokens/chain-ops/advance-chain-ops.ts'
import { startCountingFeeLimit } from '../tokens/chain-ops/sign-op.ts'
import { startCountingDifferences } from '../tokens/reconciliation/reconcile.ts'
import { Signers } from '../tokens/signers/signers.ts'
import { startCountingAttempts } from '../webhooks/delivery.ts'
import { attemptsMax } from '../webhooks/schedule.ts'
import { workerConnections } from './connections.ts'
import { readWorkerConfigOrExit } from './start.ts'
import { flushTraces } from './telemetry.ts'

const config = readWorkerConfigOrExit()
const log = createLogger(config.logLevel, 'worker')
const { app: appConnections } = workerConnections(config, { isCell: true })
const databases = openDatabases(config, log, appConnections)
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
  secretPeppers: config.secretPeppers,
  operatorUrl: operatorUrlOf(config),
  clock: systemClock,
  log,
  chains: openChains(config, log),
  signers: Signers.open(config, { databases, placement, vaults }),
  handlers: chainOpHandlers,
  bumpAfterMs: config.bumpSeconds * 1_000,
  feeMax: parseGwei(String(config.maxFeeGwei)),
  httpClient,
  auditHeadsUrl: config.auditHeadsUrl,
  deliveryAttemptsMax: attemptsMax(config.environment),
  // Half of the connections; the other half is for the remaining work of the process.
  limitTransactions: pLimit(Math.ceil(appConnections / 2)),
}

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
  const { worker: max, highVolume: highVolumeMax } = workerConnections(config, { isCell })
  const login = { url: workerUrl, role: 'investor_token_worker', cell } as const
  const pool = createPool({ ...login, max }, config, log)
  const highVolumePool = isCell
    ? createPool({ ...login, max: highVolumeMax, purpose: 'webhooks' }, config, log)
    : undefined
  const session = new QueueSession(pool, log.child({ database }))
  session.start()
  if (isCell) startCounting(database)
  return {
    session,
    queues: queues
      .filter(({ isForCellsOnly }) => isCell || !isForCellsOnly)
      .map((queue) => {
        const queuePool = (queue.isHighVolume ? highVolumePool : undefined) ?? pool
        return startWorker({ pool: queuePool, session, database }, queue, context)
      }),
    loops: startLoops(isCell ? loops : directoryLoops, { ...context, cell: database, pool }),
    pools: highVolumePool ? [pool, highVolumePool] : [pool],
  }
})

const health = new WorkerHealth(served.flatMap((database) => database.queues))
const { metricsHost: host, environment } = config
const probes = await listenForProbes(health, { host, port: config.workerPort, log })
log.info({ address: host, port: probes.port, environment, count: served.length }, 'started')

closeWithGrace({ delay: 30_000, logger: false }, async ({ signal, err }) => {
  if (err) log.error({ err }, 'stopping because of an uncaught error')
  log.info({ signal }, 'stopping')
  health.drain()
  const work = served.flatMap((database) => [...database.queues, ...database.loops])
  await Promise.all([...work, invalidations].map((one) => one.stop()))
  // Only now: the jobs of a process that has no session count as those of a dead one.
  await Promise.all(served.map(({ session }) => session.stop()))
  await Promise.all(served.flatMap(({ pools }) => pools).map((pool) => pool.end()))
  await probes.close()
  httpClient.close()
  mailer.close()
  await databases.end()
  await flushTraces()
  log.info('stopped')
})

function startCounting(cell: string): void {
  startCountingAttempts(cell)
  for (const chain of config.chains.keys()) {
    startCountingDifferences({ chain, cell })
    startCountingOpFailures({ chain, cell })
    startCountingFeeLimit({ chain, cell })
  }
}
