import { setTimeout as sleep } from 'node:timers/promises'
import closeWithGrace from 'close-with-grace'
import { KnownCredentials } from '../access/credentials/known-credentials.ts'
import { RequestLog } from '../access/requests/request-log.ts'
import { findOperatorByToken } from '../access/users/known-operators.ts'
import type { Operation } from '../platform/api/declare/operation.ts'
import type { ApiDescription } from '../platform/api/openapi/openapi.ts'
import { InMemoryWindow } from '../platform/api/rate-limit/in-memory-window.ts'
import { RateLimiter } from '../platform/api/rate-limit/rate-limit.ts'
import { RedisWindow } from '../platform/api/rate-limit/redis-window.ts'
import { Readiness } from '../platform/api/server/readiness.ts'
import { createServer } from '../platform/api/server/server.ts'
import { versionsIn } from '../platform/api/server/versions.ts'
import { systemClock } from '../platform/base/clock.ts'
import type { Config } from '../platform/base/config.ts'
import { createLogger } from '../platform/base/log.ts'
import { CacheInvalidations } from '../platform/db/cache-invalidations.ts'
import { Placement } from '../platform/db/placement.ts'
import { openDatabases } from '../platform/db/pools.ts'
import { Vaults } from '../platform/db/vault.ts'
import { TargetRules } from '../platform/outbound/target-rules.ts'
import { AuditTrail } from '../records/audit/audit-trail.ts'
import { readConfigOrExit } from './start.ts'
import { flushTraces } from './telemetry.ts'

// No request takes longer than its statements may, so nothing that was accepted is still running after this.
const requestSecondsMax = 30

interface Served {
  /** What its log lines say they come from. */
  readonly name: string
  readonly operationsOf: (config: Config) => readonly Operation[]
  readonly description: ApiDescription
  /** Whether callers can look up their requests. */
  readonly keepsRequests: boolean
  readonly listenOn: (config: Config) => { host: string; port: number; publicBaseUrl: string | undefined }
}

/** Serves one of the two APIs until the process is told to stop. */
export async function serve({ name, operationsOf, description, keepsRequests, listenOn }: Served): Promise<void> {
  const config = readConfigOrExit()
  const log = createLogger(config.logLevel, name)
  const databases = openDatabases(config, log)
  const placement = new Placement(databases)
  const notices = new CacheInvalidations(databases, log)
  notices.listen((subject) => placement.forget(subject))
  const knownCredentials = new KnownCredentials(databases, notices)
  const redis = config.redisUrl
    ? new RedisWindow(config.redisUrl, `investor-token:${config.environment}:`, log)
    : undefined
  const rateLimiter = new RateLimiter(redis, new InMemoryWindow(), log)
  const readiness = new Readiness(databases, rateLimiter, log)
  const requestLog = keepsRequests ? new RequestLog({ databases, placement }, log) : undefined
  const { host, port, publicBaseUrl } = listenOn(config)

  const app = await createServer({
    operations: operationsOf(config),
    prefixes: description.prefixes,
    description,
    services: {
      databases,
      placement,
      tokenSigningKeys: config.tokenSigningKeys,
      secretPeppers: config.secretPeppers,
      rateLimiter,
      versions: versionsIn(config.environment),
      credentialOf: (clientId) => knownCredentials.find(clientId),
      operatorOf: (token) => findOperatorByToken(databases, config.secretPeppers, token),
      auditOf: (actor) => new AuditTrail(actor),
      vaults: new Vaults(config.dataMasterKeys),
      targets: new TargetRules(config),
      clock: systemClock,
      publicBaseUrl,
    },
    ...(requestLog && { requestLog }),
    health: readiness,
    config,
    log,
  })

  closeWithGrace(
    { delay: (config.drainSeconds + requestSecondsMax) * 1000, logger: false },
    async ({ signal, err }) => {
      if (err) log.error({ err }, 'stopping because of an error that nobody caught')
      log.info({ signal }, 'draining')
      // First say so and go on serving, so that load balancers look elsewhere; then finish what was accepted.
      readiness.drain()
      await sleep(config.drainSeconds * 1000)
      await app.close()
      await requestLog?.stop()
      await notices.stop()
      redis?.close()
      await databases.end()
      await flushTraces()
      log.info('stopped')
    },
  )

  notices.start()
  requestLog?.start()
  await app.listen({ host, port })
  const address = app.server.address()
  log.info(
    {
      address: host,
      port: typeof address === 'object' ? address?.port : undefined,
      environment: config.environment,
    },
    'listening',
  )
}
