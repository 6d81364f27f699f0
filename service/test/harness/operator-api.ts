import { findOperatorByToken } from '../../src/administrators/known-operators.ts'
import { systemClock } from '../../src/base/clock.ts'
import { createLogger } from '../../src/base/log.ts'
import { Placement } from '../../src/db/placement.ts'
import { Vaults } from '../../src/db/vault.ts'
import { LocalLog } from '../../src/http/local-log.ts'
import { RateLimiter } from '../../src/http/rate-limit.ts'
import { Readiness } from '../../src/http/readiness.ts'
import { operatorPrefixes } from '../../src/http/routes.ts'
import { createServer } from '../../src/http/server.ts'
import { versionsIn } from '../../src/http/versions.ts'
import { operatorOperations } from '../../src/operator-operations.ts'
import { TargetRules } from '../../src/outbound/target-rules.ts'
import { type Answer, callApi } from './api-client.ts'
import type { TestInstallation } from './service.ts'

/**
 * The operator's API inside the test process, over real HTTP: for tests that need what operators make and are about
 * something else. A process of its own takes a second to start.
 */
export class OperatorApi {
  readonly #installation: TestInstallation
  readonly #baseUrl: string
  readonly #tokens = new Map<string, Promise<{ token: string }>>()

  private constructor(installation: TestInstallation, baseUrl: string) {
    this.#installation = installation
    this.#baseUrl = baseUrl
  }

  static async start(installation: TestInstallation): Promise<{ api: OperatorApi; stop: () => Promise<void> }> {
    const { config, databases } = installation
    const log = createLogger('silent', 'operator-api')
    const rateLimiter = new RateLimiter(undefined, new LocalLog(), log)
    const app = await createServer({
      operations: operatorOperations,
      prefixes: operatorPrefixes,
      services: {
        databases,
        placement: new Placement(databases),
        tokenSigningKeys: config.tokenSigningKeys,
        secretPeppers: config.secretPeppers,
        rateLimiter,
        versions: versionsIn(config.environment),
        credentialOf: async () => undefined,
        operatorOf: (token) => findOperatorByToken(databases, config.secretPeppers, token),
        vaults: new Vaults(config.dataMasterKeys),
        targets: new TargetRules(config),
        clock: systemClock,
        publicBaseUrl: undefined,
      },
      health: new Readiness(databases, rateLimiter, log),
      config,
      log,
    })
    const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 })
    return { api: new OperatorApi(installation, baseUrl), stop: () => app.close() }
  }

  /** As an operator of the tenant, who is made at the first call. Throws what is refused. */
  async call(tenantId: string, method: string, path: string, body?: unknown): Promise<Answer['body']> {
    // Not an administrator: those are mailed, and counted by tests that look at who is.
    const known = this.#tokens.get(tenantId) ?? this.#installation.createOperator(tenantId, { role: 'operator' })
    this.#tokens.set(tenantId, known)
    const { token } = await known
    const answer = await callApi(this.#baseUrl, method, path, { token, prefix: '/operator', body })
    if (answer.status >= 400) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`)
    return answer.body
  }
}
