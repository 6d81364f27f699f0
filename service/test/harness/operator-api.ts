import { OidcProviders } from '../../src/access/sign-in/oidc-providers.ts'
import { operatorServices } from '../../src/access/users/operator-services.ts'
import { operatorApiOperations } from '../../src/operator-operations.ts'
import { type Duty, duties } from '../../src/platform/api/declare/duties.ts'
import { InMemoryWindow } from '../../src/platform/api/rate-limit/in-memory-window.ts'
import { RateLimiter } from '../../src/platform/api/rate-limit/rate-limit.ts'
import { Readiness } from '../../src/platform/api/server/readiness.ts'
import { operatorPrefixes } from '../../src/platform/api/server/routes.ts'
import { createServer } from '../../src/platform/api/server/server.ts'
import { versionsIn } from '../../src/platform/api/server/versions.ts'
import { systemClock } from '../../src/platform/base/clock.ts'
import type { Config } from '../../src/platform/base/config.ts'
import { createLogger } from '../../src/platform/base/log.ts'
import { Placement } from '../../src/platform/db/placement.ts'
import type { Databases } from '../../src/platform/db/pools.ts'
import { Vaults } from '../../src/platform/db/vault.ts'
import { TargetRules } from '../../src/platform/outbound/target-rules.ts'
import { AuditTrail } from '../../src/records/audit/audit-trail.ts'
import { type ApiResponse, callApi } from './api-client.ts'

/** The part of a TestInstallation that the operator API needs. */
interface Installation {
  readonly config: Config
  readonly databases: Databases
  createOperator(tenantId: string, options: { duties: readonly Duty[] }): Promise<{ token: string }>
}

/**
 * The operator API inside the test process, over real HTTP, for tests that only need data that operators create. A
 * separate process would take a second to start.
 */
export class OperatorApi {
  readonly #installation: Installation
  readonly #baseUrl: string
  readonly #tokens = new Map<string, Promise<{ token: string }>>()

  private constructor(installation: Installation, baseUrl: string) {
    this.#installation = installation
    this.#baseUrl = baseUrl
  }

  static async start(installation: Installation): Promise<{ api: OperatorApi; stop: () => Promise<void> }> {
    const { config, databases } = installation
    const log = createLogger('silent', 'operator-api')
    const rateLimiter = new RateLimiter(undefined, new InMemoryWindow(), log)
    const app = await createServer({
      operations: operatorApiOperations,
      prefixes: operatorPrefixes,
      services: {
        databases,
        placement: new Placement(databases),
        tokenSigningKeys: config.tokenSigningKeys,
        secretPeppers: config.secretPeppers,
        rateLimiter,
        versions: versionsIn(config),
        credentialOf: async () => undefined,
        identityProviders: new OidcProviders(new Map(), log),
        ...operatorServices({ databases, secretPeppers: config.secretPeppers, clock: systemClock }),
        auditOf: (actor) => new AuditTrail(actor),
        vaults: new Vaults(config.dataMasterKeys),
        targets: new TargetRules(config),
        clock: systemClock,
        environment: 'development',
        isLive: false,
        publicBaseUrl: undefined,
        walletProofUrl: config.walletProofUrl,
        askContractWallet: async () => undefined,
      },
      health: new Readiness(databases, rateLimiter, log),
      config,
      log,
    })
    const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 })
    return { api: new OperatorApi(installation, baseUrl), stop: () => app.close() }
  }

  /** Calls as an operator of the tenant, created by the first call. Throws if the response is an error. */
  async call(tenantId: string, method: string, path: string, body?: unknown): Promise<ApiResponse['body']> {
    // Without the duty team, whose holders receive mails that some tests count.
    const known =
      this.#tokens.get(tenantId) ??
      this.#installation.createOperator(tenantId, { duties: duties.filter((duty) => duty !== 'team') })
    this.#tokens.set(tenantId, known)
    return this.callWith((await known).token, method, path, body)
  }

  /** The same with the token of a given user. */
  async callWith(token: string, method: string, path: string, body?: unknown): Promise<ApiResponse['body']> {
    const response = await callApi(this.#baseUrl, method, path, { token, prefix: '/operator', body })
    if (response.status >= 400) throw new Error(`${method} ${path} returned ${response.status}: ${response.text}`)
    return response.body
  }
}
