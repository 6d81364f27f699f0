import closeWithGrace from 'close-with-grace'
import { parseGwei } from 'viem'
import { listenForProbes } from '../platform/api/server/health-server.ts'
import { systemClock } from '../platform/base/clock.ts'
import { operatorUrlOf } from '../platform/base/config.ts'
import { createLogger } from '../platform/base/log.ts'
import { TenantTurns } from '../platform/base/tenant-turns.ts'
import { CacheInvalidations } from '../platform/db/cache-invalidations.ts'
import { followCells } from '../platform/db/follow-cells.ts'
import { Placement } from '../platform/db/placement.ts'
import { openDatabases } from '../platform/db/pools.ts'
import { Vaults } from '../platform/db/vault.ts'
import { ServedCells } from '../platform/jobs/served-cells.ts'
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
import { serveDatabase } from './serve-database.ts'
import { readWorkerConfigOrExit } from './start.ts'
import { flushTraces } from './telemetry.ts'

const config = readWorkerConfigOrExit()
const log = createLogger(config.logLevel, 'worker')
const { app: appConnections } = workerConnections(config, { isCell: true })
const databases = openDatabases(config, log, { max: appConnections })
const mailer = createMailer(config.smtpUrl, config.mailFrom)
const placement = new Placement(databases)
const invalidations = new CacheInvalidations(databases, log)
invalidations.listen((subject) => placement.forget(subject))
invalidations.start()
const cells = await followCells(databases, invalidations, log)
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
}
/**
 * Half of the connections to the database; the other half is for its remaining work. Each has its own limit, as it has
 * its own connections, so one that hangs delays no other.
 */
const contextOfDatabase = () => ({ ...context, transactionTurns: new TenantTurns(Math.ceil(appConnections / 2)) })

const served = new ServedCells({
  kind: 'worker',
  config,
  databases,
  log,
  start: (cell, url) => {
    startCounting(cell)
    return serveDatabase({ database: cell, isCell: true, url }, contextOfDatabase(), { config, log })
  },
})
await served.start()
// The directory has jobs too. Unless it is also a cell, every worker serves it.
const directory = isDirectoryACell()
  ? undefined
  : serveDatabase({ database: 'directory', isCell: false, url: config.workerDatabaseUrl }, contextOfDatabase(), {
      config,
      log,
    })
const units = () => [...served.units(), ...(directory ? [directory] : [])]

const health = new WorkerHealth(() => units().flatMap(({ queues }) => queues))
const { metricsHost: host, environment } = config
const probes = await listenForProbes(health, { host, port: config.workerPort, log })
log.info({ address: host, port: probes.port, environment, count: units().length }, 'started')

closeWithGrace({ delay: 30_000, logger: false }, async ({ signal, err }) => {
  if (err) log.error({ err }, 'stopping because of an uncaught error')
  log.info({ signal }, 'stopping')
  health.drain()
  await Promise.all([served.stop(), directory?.stop(), invalidations.stop(), cells.stop()])
  await probes.close()
  httpClient.close()
  mailer.close()
  await databases.end()
  await flushTraces()
  log.info('stopped')
})

function isDirectoryACell(): boolean {
  return [...databases.cells.values()].includes(databases.directory)
}

function startCounting(cell: string): void {
  startCountingAttempts(cell)
  for (const chain of config.chains.keys()) {
    startCountingDifferences({ chain, cell })
    startCountingOpFailures({ chain, cell })
    startCountingFeeLimit({ chain, cell })
  }
}
