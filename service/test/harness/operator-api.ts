import { findOperatorByToken } from '../../src/access/users/known-operators.ts'
import { operatorOperations } from '../../src/operator-operations.ts'
import { InMemoryWindow } from '../../src/platform/api/rate-limit/in-memory-window.ts'
import { RateLimiter } from '../../src/platform/api/rate-limit/rate-limit.ts'
import { Readiness } from '../../src/platform/api/server/readiness.ts'
import { operatorPrefixes } from '../../src/platform/api/server/routes.ts'
import { createServer } from '../../src/platform/api/server/server.ts'
import { versionsIn } from '../../src/platform/api/server/versions.ts'
import { systemClock } from '../../src/platform/base/clock.ts'
import { createLogger } from '../../src/platform/base/log.ts'
import { Placement } from '../../src/platform/db/placement.ts'
import { Vaults } from '../../src/platform/db/vault.ts'
import { TargetRules } from '../../src/platform/outbound/target-rules.ts'
import { AuditTrail } from '../../src/records/audit/audit-trail.ts'
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
    const rateLimiter = new RateLimiter(undefined, new InMemoryWindow(), log)
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
        auditOf: (actor) => new AuditTrail(actor),
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
