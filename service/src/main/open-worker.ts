import { parseGwei } from 'viem'
import { listenForProbes, ProcessHealth } from '../platform/api/server/health-server.ts'
import { systemClock } from '../platform/base/clock.ts'
import { type Config, operatorUrlOf } from '../platform/base/config.ts'
import type { Logger } from '../platform/base/log.ts'
import { TenantTurns } from '../platform/base/tenant-turns.ts'
import { ServedCells } from '../platform/jobs/served-cells.ts'
import { workerHealth } from '../platform/jobs/worker-health.ts'
import { createMailer } from '../platform/mail/mailer.ts'
import { OutboundClient } from '../platform/outbound/outbound-client.ts'
import { dnsResolver, systemResolver } from '../platform/outbound/resolve-host.ts'
import { TargetRules } from '../platform/outbound/target-rules.ts'
import { CacheInvalidations } from '../platform/postgres/cells/cache-invalidations.ts'
import { followCells } from '../platform/postgres/cells/follow-cells.ts'
import { Placement } from '../platform/postgres/cells/placement.ts'
import { type Databases, openDatabases } from '../platform/postgres/pools.ts'
import { Vaults } from '../platform/postgres/vault.ts'
import { openChains } from '../tokens/chain/open-chains.ts'
import { chainOpHandlers } from '../tokens/chain-op-handlers.ts'
import { startCountingOpFailures } from '../tokens/chain-ops/advance-chain-ops.ts'
import { startCountingFeeLimit } from '../tokens/chain-ops/sign-op.ts'
import { startCountingDifferences } from '../tokens/reconciliation/reconcile.ts'
import { Signers } from '../tokens/signers/signers.ts'
import { startCountingAttempts } from '../webhooks/delivery.ts'
import { attemptsMax } from '../webhooks/schedule.ts'
import { workerConnections } from './connections.ts'
import { type Lifetime, type ListeningAt, withLifetime } from './lifetime.ts'
import { type ServedDatabase, serveDatabase } from './serve-database.ts'

/** Address for probes, and the number of databases that it works on at the start. */
export type OpenedWorker = Lifetime<ListeningAt & { readonly count: number }>

/** Composes a worker without anything that belongs to a process, as `openApi` does with an API. */
export function openWorker(config: Config, log: Logger): Promise<OpenedWorker> {
  return withLifetime(async (closing) => {
    const { app: appConnections } = workerConnections(config, { isCell: true })
    const databases = openDatabases(config, log, { max: appConnections })
    closing.defer(() => databases.end())
    const placement = new Placement(databases)
    const invalidations = new CacheInvalidations(databases, log)
    invalidations.listen((subject) => placement.forget(subject))
    const context = contextOf(config, log, { databases, placement }, closing)
    /**
     * Transactions of tenants get half of the connections to the database; the other half is for its remaining work.
     * Each database has its own limit and its own connections, so one that hangs delays no other.
     */
    const contextOfDatabase = () => ({ ...context, transactionTurns: new TenantTurns(Math.ceil(appConnections / 2)) })

    let directory: ServedDatabase | undefined
    let probes: Awaited<ReturnType<typeof listenForProbes>> | undefined
    // Runs after its work has ended, so that until then the probes report that it is about to stop.
    closing.defer(() => probes?.close())
    const served = new ServedCells({
      kind: 'worker',
      config,
      databases,
      log,
      start: (cell, url) => {
        startCounting(cell, config)
        return serveDatabase({ database: cell, isCell: true, url }, contextOfDatabase(), { config, log })
      },
    })
    const units = () => [...served.units(), ...(directory ? [directory] : [])]
    const health = new ProcessHealth(() => workerHealth(units().flatMap(({ queues }) => queues)))
    const cells = await followCells(databases, invalidations, log)
    closing.defer(async () => {
      health.drain()
      await Promise.all([served.stop(), directory?.stop(), invalidations.stop(), cells.stop()])
    })

    return {
      start: async () => {
        invalidations.start()
        await served.start()
        // The directory has jobs too. Unless it is also a cell, every worker serves it.
        if (!isDirectoryACell(databases)) {
          const login = { database: 'directory', isCell: false, url: config.workerDatabaseUrl }
          directory = serveDatabase(login, contextOfDatabase(), { config, log })
        }
        const host = config.metricsHost
        probes = await listenForProbes(health, { host, port: config.workerPort, log })
        return { address: host, port: probes.port, count: units().length }
      },
      drain: () => health.drain(),
    }
  })
}

/** Returns the context that all jobs and loops share. */
function contextOf(
  config: Config,
  log: Logger,
  { databases, placement }: { databases: Databases; placement: Placement },
  closing: AsyncDisposableStack,
) {
  const mailer = createMailer(config.smtpUrl, config.mailFrom)
  closing.defer(() => mailer.close())
  const httpClient = new OutboundClient({
    rules: new TargetRules(config),
    resolveHost: config.environment === 'development' ? systemResolver : dnsResolver(),
    timeoutMs: config.webhookTimeoutMs,
  })
  closing.defer(() => httpClient.close())
  const vaults = new Vaults(config.dataMasterKeys)
  return {
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
}

function isDirectoryACell({ cells, directory }: Databases): boolean {
  return [...cells.values()].includes(directory)
}

function startCounting(cell: string, { chains }: Config): void {
  startCountingAttempts(cell)
  for (const chain of chains.keys()) {
    startCountingDifferences({ chain, cell })
    startCountingOpFailures({ chain, cell })
    startCountingFeeLimit({ chain, cell })
  }
}
