import type { Clock } from '../../base/clock.ts'
import type { KeyRing } from '../../base/key-ring.ts'
import type { Databases } from '../../db/pools.ts'
import type { TenantDatabases } from '../../db/tenant-transaction.ts'
import type { Vaults } from '../../db/vault.ts'
import type { TargetRules } from '../../outbound/target-rules.ts'
import type { RateLimiter } from '../rate-limit/rate-limit.ts'
import type { Versions } from '../server/versions.ts'
import type { Actor, RequestAudit } from './audit.ts'
import type { Role } from './roles.ts'

/** What the pipeline must know of a credential on every request, beyond what its token says. */
export interface KnownCredential {
  readonly tenantId: string
  readonly requestsPerMinute: number
  readonly isDisabled: boolean
  /** Epoch seconds; tokens issued before are refused. */
  readonly tokensNotBefore: number
}

/** What is known of a personal token now: whose it is, what they may do, and whether it still counts. */
export interface KnownOperator {
  readonly tenantId: string
  readonly userId: string
  readonly tokenId: string
  readonly role: Role
  readonly expiresAt: Date
  /** Or its admin was removed, or the tenant disabled. */
  readonly isRevoked: boolean
}

/** What operations that need no token may reach. */
export interface PublicServices {
  readonly databases: Databases
  readonly tokenSigningKeys: KeyRing
  readonly secretPeppers: KeyRing
  readonly rateLimiter: RateLimiter
  readonly versions: Versions
}

/** What finding out who has signed a request may reach. */
export interface SignedServices extends TenantDatabases {
  readonly vaults: Vaults
  readonly clock: Clock
}

export interface PipelineServices extends PublicServices, TenantDatabases {
  readonly credentialOf: (clientId: string) => Promise<KnownCredential | undefined>
  /** Whose personal token this is; undefined where it is nobody's. */
  readonly operatorOf: (token: string) => Promise<KnownOperator | undefined>
  readonly auditOf: (actor: Actor) => RequestAudit
  readonly vaults: Vaults
  readonly targets: TargetRules
  readonly clock: Clock
  /** What links begin with; without it, the scheme and host of the request. */
  readonly publicBaseUrl: string | undefined
}
