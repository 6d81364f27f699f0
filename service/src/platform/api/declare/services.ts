import type { Clock } from '../../base/clock.ts'
import type { Config } from '../../base/config.ts'
import type { KeyRing } from '../../base/key-ring.ts'
import type { Versions } from '../../base/versions.ts'
import type { TargetRules } from '../../outbound/target-rules.ts'
import type { TenantDatabases } from '../../postgres/cells/tenant-transaction.ts'
import type { Databases } from '../../postgres/pools.ts'
import type { Transaction } from '../../postgres/transaction.ts'
import type { Vaults } from '../../postgres/vault.ts'
import type { RateLimiter } from '../rate-limit/rate-limit.ts'
import type { PolicyThresholds } from './approval.ts'
import type { Actor, RequestAudit } from './audit.ts'
import type { Duty, GrantedDuty } from './duties.ts'
import type { Spool } from './spool.ts'

/** Facts about a credential that the pipeline needs on every request, beyond the claims of its token. */
export interface KnownCredential {
  readonly tenantId: string
  readonly requestsPerMinute: number
  /** Limit of all credentials of the tenant together. */
  readonly tenantRequestsPerMinute: number
  readonly isDisabled: boolean
  /** Epoch seconds; tokens issued before are rejected. */
  readonly tokensNotBefore: number
}

/** An operator user as of this request, with the proof of their identity. */
export interface KnownOperator {
  readonly tenantId: string
  readonly userId: string
  /** A service user only has tokens, and can never confirm anything. */
  readonly userKind: 'person' | 'service'
  /** The person behind the user; null for a service user, and until an invited person has signed in. */
  readonly identityId: string | null
  readonly duties: readonly GrantedDuty[]
  /** The tenant's settings about second persons. */
  readonly policies: PolicyThresholds
  /** Limit of all operator users of the tenant together. */
  readonly tenantRequestsPerMinute: number
  readonly proof: OperatorProof
  readonly expiresAt: Date
  /** The token or session was revoked, its user removed, or the tenant disabled. */
  readonly isRevoked: boolean
}

export type OperatorProof =
  | { readonly type: 'token'; readonly id: string }
  /** A second person confirmed what this user had proposed. */
  | { readonly type: 'approval'; readonly id: string }
  | {
      readonly type: 'session'
      readonly id: string
      readonly createdAt: Date
      /** Earlier than `createdAt` if the person has since switched from another tenant. */
      readonly signedInAt: Date
      readonly steppedUpAt: Date | null
      readonly isBreakGlass: boolean
    }

/** Services that public operations can reach. */
export interface PublicServices {
  readonly databases: Databases
  readonly tokenSigningKeys: KeyRing
  readonly secretPeppers: KeyRing
  readonly rateLimiter: RateLimiter
  readonly versions: Versions
  readonly identityProviders: IdentityProviders
  /** Returns the person signed in with a session cookie, or undefined if the session is unknown. */
  readonly operatorOfSession: (cookie: string) => Promise<KnownOperator | undefined>
}

/** The OpenID providers at which people sign in. */
export interface IdentityProviders {
  readonly names: readonly string[]
  /** The issuer URL of a provider; undefined if it is not configured. */
  issuerOf(name: string): string | undefined
  /** Returns where to send the browser, and what it must bring back. A step-up asks for all factors again. */
  start(
    name: string,
    redirectUri: string,
    how: { readonly isStepUp: boolean },
  ): Promise<{ url: string; checks: ProviderChecks }>
  /**
   * Exchanges the code in the URL of the callback for the person who signed in. Rejects a step-up unless the provider
   * states that a second factor was used just now.
   */
  finish(
    name: string,
    callbackUrl: string,
    how: ProviderChecks & { readonly isStepUp: boolean; readonly now: Date },
  ): Promise<ProvidedPerson>
  /** Verifies the token with which a provider ends sessions. */
  verifyLogout(name: string, logoutToken: string): Promise<{ subject: string; sessionId: string | undefined }>
}

/** Values that tie the callback to the browser that started the sign-in. */
export interface ProviderChecks {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
}

export interface ProvidedPerson {
  readonly issuer: string
  readonly subject: string
  /** The provider's id of its session, for its logout. */
  readonly sessionId: string | null
  /** Time when the person last proved to the provider who they are, maybe long ago; null if it does not say. */
  readonly authenticatedAt: Date | null
  /** Same as `authenticatedAt` if a second factor was used then, in a way that the settings accept; otherwise null. */
  readonly secondFactorAt: Date | null
}

/** Services that the signature check of a signed operation can reach. */
export interface SignedServices extends TenantDatabases {
  readonly vaults: Vaults
  readonly clock: Clock
  /** True if real money moves here. */
  readonly isLive: boolean
}

/** Another user of the tenant, with the facts that the rules about second persons need. */
export interface Colleague {
  readonly userId: string
  readonly kind: 'person' | 'service'
  readonly identityId: string | null
  readonly invitedBy: string | null
  readonly createdAt: Date
  /** People who created a service user or know one of its tokens, and so can act as it. Empty for a person. */
  readonly controllers: readonly Pick<Colleague, 'userId' | 'kind' | 'identityId'>[]
  readonly duties: readonly (GrantedDuty & { readonly grantedBy: string | null; readonly grantedAt: Date })[]
}

export interface AnnouncedApproval {
  readonly tenantId: string
  readonly approvalId: string
  readonly database: 'cell' | 'directory'
  readonly operation: string
  readonly confirmDuty: Duty
  readonly offeringId: string | null
  readonly proposedBy: string
  readonly proposedAt: Date
  readonly expiresAt: Date
}

/** Answer of a chain about a signature that no key of the address made (EIP-1271). */
export type ContractSignature = 'valid' | 'invalid' | 'no contract' | 'no node' | 'unavailable'

/** Facts that an operation needs to accept the proof of a wallet. */
export interface WalletProofFacts {
  /** The site that wallet proofs are for. Never the host of the request, which the caller chooses. */
  readonly walletProofUrl: string
  /** Answer of a contract wallet; undefined if the operation does not ask, or if a key signed. */
  readonly contractSignature: ContractSignature | undefined
}

/** A message and its signature. */
export interface SignedMessage {
  readonly message: string
  readonly signature: string
}

export interface PipelineServices extends PublicServices, TenantDatabases {
  readonly credentialOf: (clientId: string) => Promise<KnownCredential | undefined>
  /** Returns the owner of a personal access token, or undefined if the token is unknown. */
  readonly operatorOfToken: (token: string) => Promise<KnownOperator | undefined>
  /** Returns the same user as of now, by the token or session presented before. Does not count as a use of it. */
  readonly operatorAgain: (proof: OperatorProof) => Promise<KnownOperator | undefined>
  /** Returns the id in a personal access token, which is not secret, or undefined if the text is not such a token. */
  readonly tokenIdOf: (token: string) => string | undefined
  /** Returns the current users of the tenant, in a transaction of the directory. */
  readonly colleaguesOf: (tx: Transaction, tenantId: string) => Promise<readonly Colleague[]>
  /** Returns the names of the tenant's users and credentials by id, in a transaction of the directory. */
  readonly callerNamesOf: (tx: Transaction, tenantId: string) => Promise<ReadonlyMap<string, string>>
  /** Called in the transaction that stores a request that needs a second person, to notify those who can confirm it. */
  readonly announceApproval: (tx: Transaction, approval: AnnouncedApproval) => Promise<void>
  readonly auditOf: (actor: Actor) => RequestAudit
  readonly vaults: Vaults
  readonly targets: TargetRules
  /** Spool that receives uploads; by default the process's own. */
  readonly spool: Spool
  readonly clock: Clock
  readonly environment: Config['environment']
  readonly isLive: boolean
  /** Start of all links. If undefined, which only development allows, links use the scheme and host of the request. */
  readonly publicBaseUrl: string | undefined
  readonly walletProofUrl: string
  /** Asks the contract at the address in the message. Returns undefined if a key signed it. Never throws. */
  readonly askContractWallet: (signed: SignedMessage) => Promise<ContractSignature | undefined>
}
