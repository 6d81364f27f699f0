import type { KnownCredential } from '../../platform/api/declare/services.ts'
import type { CacheInvalidations } from '../../platform/postgres/cells/cache-invalidations.ts'
import { inDirectoryTransaction } from '../../platform/postgres/cells/tenant-transaction.ts'
import type { Databases } from '../../platform/postgres/pools.ts'
import { findAuthCredential } from './credential.sql.ts'

/**
 * In-process cache of the credentials that send requests, because the directory cannot serve a query for each of 5,000
 * requests a second. A cache invalidation for the credential or its tenant removes the entry about a second after the
 * change.
 */
export class CredentialCache {
  readonly #databases: Databases
  readonly #byClientId = new Map<string, Promise<KnownCredential | undefined>>()
  readonly #clientIdsOfTenant = new Map<string, Set<string>>()

  constructor(databases: Databases, invalidations: CacheInvalidations) {
    this.#databases = databases
    invalidations.listen((subject) => this.#invalidate(subject))
  }

  async find(clientId: string): Promise<KnownCredential | undefined> {
    const cached = this.#byClientId.get(clientId)
    if (cached) return cached
    const loading = this.#load(clientId)
    this.#byClientId.set(clientId, loading)
    try {
      const found = await loading
      if (found) this.#addToTenant(clientId, found.tenantId)
      else this.#byClientId.delete(clientId)
      return found
    } catch (error) {
      // Errors are not cached: the next request queries the directory again.
      this.#byClientId.delete(clientId)
      throw error
    }
  }

  async #load(clientId: string): Promise<KnownCredential | undefined> {
    const row = await inDirectoryTransaction(this.#databases, { clientId, access: 'read' }, (tx) =>
      findAuthCredential(tx, clientId),
    )
    return (
      row && {
        tenantId: row.tenantId,
        requestsPerMinute: row.requestsPerMinute,
        tenantRequestsPerMinute: row.tenantRequestsPerMinute,
        isDisabled: row.isDisabled,
        tokensNotBefore: row.tokensNotBefore ?? 0,
      }
    )
  }

  #addToTenant(clientId: string, tenantId: string): void {
    if (this.#byClientId.size > credentialsCachedMax) {
      this.#byClientId.clear()
      this.#clientIdsOfTenant.clear()
    }
    const ofTenant = this.#clientIdsOfTenant.get(tenantId) ?? new Set()
    this.#clientIdsOfTenant.set(tenantId, ofTenant.add(clientId))
  }

  #invalidate(subject: string): void {
    this.#byClientId.delete(subject)
    for (const clientId of this.#clientIdsOfTenant.get(subject) ?? []) this.#byClientId.delete(clientId)
    this.#clientIdsOfTenant.delete(subject)
  }
}

// Ten times the planned number of credentials. Above it, the cache is cleared.
const credentialsCachedMax = 100_000
