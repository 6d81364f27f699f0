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

/** What the pipeline needs to know about a credential on every request, beyond the claims of its token. */
export interface KnownCredential {
  readonly tenantId: string
  readonly requestsPerMinute: number
  /** The ceiling of all credentials of the tenant together. */
  readonly tenantRequestsPerMinute: number
  readonly isDisabled: boolean
  /** Epoch seconds; tokens issued before are rejected. */
  readonly tokensNotBefore: number
}

/** The current state of a personal access token: its user, the user's role, and whether it is still valid. */
export interface KnownOperator {
  readonly tenantId: string
  readonly userId: string
  readonly tokenId: string
  readonly role: Role
  readonly tenantRequestsPerMinute: number
  readonly expiresAt: Date
  /** The token was revoked, its user removed, or the tenant disabled. */
  readonly isRevoked: boolean
}

/** What public operations can reach. */
export interface PublicServices {
  readonly databases: Databases
  readonly tokenSigningKeys: KeyRing
  readonly secretPeppers: KeyRing
  readonly rateLimiter: RateLimiter
  readonly versions: Versions
}

/** What the signature check of a signed operation can reach. */
export interface SignedServices extends TenantDatabases {
  readonly vaults: Vaults
  readonly clock: Clock
  /** Whether real money is moved here. */
  readonly isLive: boolean
}

export interface PipelineServices extends PublicServices, TenantDatabases {
  readonly credentialOf: (clientId: string) => Promise<KnownCredential | undefined>
  /** Returns the owner of a personal access token, or undefined if the token is unknown. */
  readonly operatorOf: (token: string) => Promise<KnownOperator | undefined>
  /** The id in a personal access token, which is not secret; undefined if the text is not such a token. */
  readonly tokenIdOf: (token: string) => string | undefined
  readonly auditOf: (actor: Actor) => RequestAudit
  readonly vaults: Vaults
  readonly targets: TargetRules
  readonly clock: Clock
  readonly isLive: boolean
  /** Start of all links. If undefined, in development, links use the scheme and host of the request. */
  readonly publicBaseUrl: string | undefined
  readonly walletProofUrl: string
}
