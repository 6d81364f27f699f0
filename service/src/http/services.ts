import type { Clock } from '../base/clock.ts'
import type { KeyRing } from '../base/key-ring.ts'
import type { Databases } from '../db/pools.ts'
import type { TenantDatabases } from '../db/tenant-transaction.ts'
import type { Vaults } from '../db/vault.ts'
import type { RateLimiter } from './rate-limit.ts'
import type { Versions } from './versions.ts'

/** What the pipeline must know of a credential on every request, beyond what its token says. */
export interface KnownCredential {
  readonly tenantId: string
  readonly requestsPerMinute: number
  readonly isDisabled: boolean
  /** Epoch seconds; tokens issued before are refused. */
  readonly tokensNotBefore: number
}

/** What operations that need no token may reach. */
export interface PublicServices {
  readonly databases: Databases
  readonly tokenSigningKeys: KeyRing
  readonly secretPeppers: KeyRing
  readonly rateLimiter: RateLimiter
  readonly versions: Versions
}

export interface PipelineServices extends PublicServices, TenantDatabases {
  readonly credentialOf: (clientId: string) => Promise<KnownCredential | undefined>
  readonly vaults: Vaults
  readonly clock: Clock
  /** What links begin with; without it, the scheme and host of the request. */
  readonly publicBaseUrl: string | undefined
}
