import { setTimeout as sleep } from 'node:timers/promises'
import closeWithGrace from 'close-with-grace'
import type { FastifyInstance } from 'fastify'
import { CredentialCache } from '../access/credentials/credential-cache.ts'
import { RequestLog } from '../access/requests/request-log.ts'
import { OidcProviders } from '../access/sign-in/oidc-providers.ts'
import { operatorServices } from '../access/users/operator-services.ts'
import type { Operation } from '../platform/api/declare/operation.ts'
import type { PipelineServices } from '../platform/api/declare/services.ts'
import { useSpoolFolder } from '../platform/api/declare/spool.ts'
import type { ApiDescription } from '../platform/api/openapi/openapi.ts'
import { InMemoryWindow } from '../platform/api/rate-limit/in-memory-window.ts'
import { RateLimiter } from '../platform/api/rate-limit/rate-limit.ts'
import { RedisWindow } from '../platform/api/rate-limit/redis-window.ts'
import { Readiness } from '../platform/api/server/readiness.ts'
import { createServer } from '../platform/api/server/server.ts'
import { versionsIn } from '../platform/api/server/versions.ts'
import { BufferedOutput } from '../platform/base/buffered-output.ts'
import { systemClock } from '../platform/base/clock.ts'
import type { Config } from '../platform/base/config.ts'
import { createLogger, type Logger } from '../platform/base/log.ts'
import { CacheInvalidations } from '../platform/db/cache-invalidations.ts'
import { followCells } from '../platform/db/follow-cells.ts'
import { Placement } from '../platform/db/placement.ts'
import { openDatabases } from '../platform/db/pools.ts'
import { Vaults } from '../platform/db/vault.ts'
import { TargetRules } from '../platform/outbound/target-rules.ts'
import { AuditTrail } from '../records/audit/audit-trail.ts'
import { askContractWallet } from '../tokens/chain/contract-signature.ts'
import { openChains } from '../tokens/chain/open-chains.ts'
import { apiConnections } from './connections.ts'
import { exitBecause, readConfigOrExit } from './start.ts'
import { flushTraces } from './telemetry.ts'

// Statement and transaction timeouts end every request within this time, so shutdown does not cut off accepted
// requests.
const requestSecondsMax = 30

interface ServedApi {
  /** The process name in log lines. */
  readonly name: string
  readonly operationsOf: (config: Config) => readonly Operation[]
  readonly description: ApiDescription
  /** Their requests are logged, so that they can list them, and need a contract version. */
  readonly isForIntegrators: boolean
  readonly addRoutes?: (app: FastifyInstance, services: PipelineServices, config: Config) => void
  readonly listenOn: (config: Config) => { host: string; port: number; publicBaseUrl: string | undefined }
}

/** Serves one of the two APIs until the process receives a signal to stop. */
export async function serve(api: ServedApi): Promise<void> {
  const { name, operationsOf, description, isForIntegrators, addRoutes, listenOn } = api
  const config = await readServedConfig(api)
  const output = new BufferedOutput()
  const log = createLogger(config.logLevel, name, output)
  const databases = openDatabases(config, log, apiConnections(config, isForIntegrators))
  const placement = new Placement(databases)
  const invalidations = new CacheInvalidations(databases, log)
  invalidations.listen((subject) => placement.forget(subject))
  const cells = await followCells(databases, invalidations, log)
  const credentials = new CredentialCache(databases, invalidations)
  const redis = openRedisWindow(config, log)
  const rateLimiter = new RateLimiter(redis, new InMemoryWindow(), log)
  const readiness = new Readiness(databases, rateLimiter, log)
  const requestLog = isForIntegrators ? new RequestLog({ databases, placement }, log) : undefined
  const versions = versionsIn(config)
  const { host, port, publicBaseUrl } = listenOn(config)

  const app = await createServer({
    operations: operationsOf(config),
    prefixes: description.prefixes,
    description,
    services: {
      ...configuredServices(config, log),
      databases,
      placement,
      rateLimiter,
      credentialOf: (clientId) => credentials.find(clientId),
      ...operatorServices({ databases, secretPeppers: config.secretPeppers, clock: systemClock }),
      versions,
      publicBaseUrl,
    },
    ...(requestLog && { requestLog }),
    ...(addRoutes && { addRoutes: (served, services) => addRoutes(served, services, config) }),
    health: readiness,
    config,
    log,
  })

  stopGracefully({ config, log, readiness }, async () => {
    await app.close()
    await requestLog?.stop()
    await Promise.all([invalidations.stop(), cells.stop(), readiness.stop()])
    redis?.close()
    await databases.end()
  })

  invalidations.start()
  readiness.start()
  requestLog?.start()
  await app.listen({ host, port })
  logStart(app, { config, log, output, servedVersions: isForIntegrators ? versions.served : undefined })
}

/** Services that depend on the settings alone. */
function configuredServices(config: Config, log: Logger) {
  const chains = openChains(config, log)
  return {
    tokenSigningKeys: config.tokenSigningKeys,
    secretPeppers: config.secretPeppers,
    identityProviders: new OidcProviders(config.identityProviders, log),
    auditOf: (actor: ConstructorParameters<typeof AuditTrail>[0]) => new AuditTrail(actor),
    vaults: new Vaults(config.dataMasterKeys),
    targets: new TargetRules(config),
    clock: systemClock,
    environment: config.environment,
    isLive: config.environment === 'live',
    walletProofUrl: config.walletProofUrl,
    askContractWallet: (signed: Parameters<typeof askContractWallet>[1]) => askContractWallet(chains, signed),
  }
}

/** The settings; a process that receives files also needs the folder for them. */
async function readServedConfig({ operationsOf }: ServedApi): Promise<Config> {
  const config = readConfigOrExit()
  const bytesMax = Math.max(0, ...operationsOf(config).map(({ header }) => header.upload?.bytesMax ?? 0))
  const problem = bytesMax > 0 ? await useSpoolFolder(config.uploadFolder, { bytesMax }) : undefined
  return problem ? exitBecause([problem]) : config
}

/** Undefined if there is no Redis: each process then counts alone. */
function openRedisWindow(
  { redisUrl: url, redisTimeoutMs: timeoutMs, environment }: Config,
  log: Logger,
): RedisWindow | undefined {
  return url === undefined
    ? undefined
    : new RedisWindow({ url, prefix: `investor-token:${environment}:`, timeoutMs }, log)
}

interface Start {
  readonly config: Config
  readonly log: Logger
  readonly output: BufferedOutput
  /** Undefined for the operator API, which has no contract versions. */
  readonly servedVersions: readonly string[] | undefined
}

/** Starts to buffer the log only when it says where the process listens: scripts that start one wait for this line. */
function logStart(app: FastifyInstance, { config, log, output, servedVersions }: Start): void {
  const { environment } = config
  const bound = app.server.address()
  const { address, port } = typeof bound === 'object' && bound ? bound : {}
  log.info({ address, port, environment, versions: servedVersions }, 'listening')
  if (servedVersions?.length === 0)
    log.warn(
      { environment },
      'no contract version is served, so no token can be issued: release one with RELEASED_VERSIONS',
    )
  output.start(log)
}

function stopGracefully(
  { config, log, readiness }: { config: Config; log: Logger; readiness: Readiness },
  close: () => Promise<void>,
): void {
  const delay = (config.drainSeconds + requestSecondsMax) * 1000
  closeWithGrace({ delay, logger: false }, async ({ signal, err }) => {
    if (err) log.error({ err }, 'stopping because of an uncaught error')
    log.info({ signal }, 'draining')
    // Report "draining" and keep serving, so that load balancers stop sending requests; then finish accepted requests.
    readiness.drain()
    await sleep(config.drainSeconds * 1000)
    await close()
    await flushTraces()
    log.info('stopped')
  })
}
