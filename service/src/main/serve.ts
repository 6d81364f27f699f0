import { setTimeout as sleep } from 'node:timers/promises'
import closeWithGrace from 'close-with-grace'
import { findOperatorByToken } from '../administrators/known-operators.ts'
import { systemClock } from '../base/clock.ts'
import type { Config } from '../base/config.ts'
import { createLogger } from '../base/log.ts'
import { KnownCredentials } from '../credentials/known-credentials.ts'
import { ChangeNotices } from '../db/change-notices.ts'
import { Placement } from '../db/placement.ts'
import { openDatabases } from '../db/pools.ts'
import { Vaults } from '../db/vault.ts'
import { LocalLog } from '../http/local-log.ts'
import type { ApiDescription } from '../http/openapi.ts'
import type { Operation } from '../http/operation.ts'
import { RateLimiter } from '../http/rate-limit.ts'
import { Readiness } from '../http/readiness.ts'
import { RedisLog } from '../http/redis-log.ts'
import { RequestLog } from '../http/request-log.ts'
import { createServer } from '../http/server.ts'
import { versionsIn } from '../http/versions.ts'
import { TargetRules } from '../outbound/target-rules.ts'
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
  const notices = new ChangeNotices(databases, log)
  notices.listen((subject) => placement.forget(subject))
  const knownCredentials = new KnownCredentials(databases, notices)
  const redis = config.redisUrl
    ? new RedisLog(config.redisUrl, `investor-token:${config.environment}:`, log)
    : undefined
  const rateLimiter = new RateLimiter(redis, new LocalLog(), log)
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
