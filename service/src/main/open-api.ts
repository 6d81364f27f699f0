import type { FastifyInstance } from 'fastify'
import { CredentialCache } from '../access/credentials/credential-cache.ts'
import { operatorServices } from '../access/operators/operator-services.ts'
import { RequestLog } from '../access/requests/request-log.ts'
import { OidcProviders } from '../access/sign-in/oidc-providers.ts'
import type { Operation } from '../platform/api/declare/operation.ts'
import type { PipelineServices } from '../platform/api/declare/services.ts'
import { createSpool, type Spool, useSpoolFolder } from '../platform/api/declare/spool.ts'
import type { ApiDescription } from '../platform/api/openapi/openapi.ts'
import { InMemoryWindow } from '../platform/api/rate-limit/in-memory-window.ts'
import { RateLimiter } from '../platform/api/rate-limit/rate-limit.ts'
import { RedisWindow } from '../platform/api/rate-limit/redis-window.ts'
import { Readiness } from '../platform/api/server/readiness.ts'
import { createServer } from '../platform/api/server/server.ts'
import { systemClock } from '../platform/base/clock.ts'
import { type Config, ConfigError } from '../platform/base/config.ts'
import type { Logger } from '../platform/base/log.ts'
import { versionsIn } from '../platform/base/versions.ts'
import { TargetRules } from '../platform/outbound/target-rules.ts'
import { CacheInvalidations } from '../platform/postgres/cells/cache-invalidations.ts'
import { followCells } from '../platform/postgres/cells/follow-cells.ts'
import { Placement } from '../platform/postgres/cells/placement.ts'
import { openDatabases } from '../platform/postgres/pools.ts'
import { Vaults } from '../platform/postgres/vault.ts'
import { AuditTrail } from '../records/audit/audit-trail.ts'
import { askContractWallet } from '../tokens/chain/contract-signature.ts'
import { openChains } from '../tokens/chain/open-chains.ts'
import { apiConnections } from './connections.ts'
import { type Lifetime, type ListeningAt, withLifetime } from './lifetime.ts'

export interface ServedApi {
  /** The process name in log lines. */
  readonly name: string
  readonly operationsOf: (config: Config) => readonly Operation[]
  readonly description: ApiDescription
  /** Requests of integrators are logged, so that they can list them, and need a contract version. */
  readonly isForIntegrators: boolean
  readonly addRoutes?: (app: FastifyInstance, services: PipelineServices, config: Config) => void
  readonly listenOn: (config: Config) => { host: string; port: number; publicBaseUrl: string | undefined }
}

export interface OpenedApi extends Lifetime<ListeningAt> {
  readonly app: FastifyInstance
  /** Undefined for the operator API, which has no contract versions. */
  readonly servedVersions: readonly string[] | undefined
}

/**
 * Composes one of the two APIs without anything that belongs to a process: reading settings, signals, telemetry and
 * standard output. Throws a ConfigError if its settings cannot work on this machine.
 */
export async function openApi(api: ServedApi, config: Config, log: Logger): Promise<OpenedApi> {
  const spool = await openSpool(api, config)
  return withLifetime((closing) => compose(api, config, log, { spool, closing }))
}

async function compose(
  api: ServedApi,
  config: Config,
  log: Logger,
  { spool, closing }: { spool: Spool; closing: AsyncDisposableStack },
) {
  const { operationsOf, description, isForIntegrators, addRoutes, listenOn } = api
  const { databases, placement, invalidations, credentials, rateLimiter, readiness } = await connect(
    api,
    config,
    log,
    closing,
  )
  const requestLog = isForIntegrators ? new RequestLog({ databases, placement }, log) : undefined
  closing.defer(() => requestLog?.stop())
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
      spool,
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
  closing.defer(() => app.close())

  return {
    app,
    servedVersions: isForIntegrators ? versions.served : undefined,
    start: async () => {
      invalidations.start()
      readiness.start()
      requestLog?.start()
      await app.listen({ host, port })
      const bound = app.server.address()
      return typeof bound === 'object' && bound ? bound : { address: undefined, port: undefined }
    },
    drain: () => readiness.drain(),
  }
}

/** Opens the connections, and starts everything that follows the state of the databases over them. */
async function connect({ isForIntegrators }: ServedApi, config: Config, log: Logger, closing: AsyncDisposableStack) {
  const databases = openDatabases(config, log, apiConnections(config, isForIntegrators))
  closing.defer(() => databases.end())
  const placement = new Placement(databases)
  const invalidations = new CacheInvalidations(databases, log)
  invalidations.listen((subject) => placement.forget(subject))
  const credentials = new CredentialCache(databases, invalidations)
  const redis = openRedisWindow(config, log)
  closing.defer(() => redis?.close())
  const rateLimiter = new RateLimiter(redis, new InMemoryWindow(), log)
  const readiness = new Readiness(databases, rateLimiter, log)
  const cells = await followCells(databases, invalidations, log)
  closing.defer(async () => {
    await Promise.all([invalidations.stop(), cells.stop(), readiness.stop()])
  })
  return { databases, placement, invalidations, credentials, rateLimiter, readiness }
}

/** Returns the services that depend on the settings alone. */
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

/** Opens the folder that a process needs to receive files. */
async function openSpool({ operationsOf }: ServedApi, config: Config): Promise<Spool> {
  const spool = createSpool()
  const bytesMax = Math.max(0, ...operationsOf(config).map(({ header }) => header.upload?.bytesMax ?? 0))
  const problem = bytesMax > 0 ? await useSpoolFolder(config.uploadFolder, { bytesMax, spool }) : undefined
  if (problem) throw new ConfigError([problem])
  return spool
}

/** Returns undefined without Redis: each process then counts alone. */
function openRedisWindow(
  { redisUrl: url, redisTimeoutMs: timeoutMs, environment }: Config,
  log: Logger,
): RedisWindow | undefined {
  return url === undefined
    ? undefined
    : new RedisWindow({ url, prefix: `investor-token:${environment}:`, timeoutMs }, log)
}
