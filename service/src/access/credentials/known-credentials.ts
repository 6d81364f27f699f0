import type { KnownCredential } from '../../platform/api/declare/services.ts'
import type { CacheInvalidations } from '../../platform/db/cache-invalidations.ts'
import type { Databases } from '../../platform/db/pools.ts'
import { inDirectoryTransaction } from '../../platform/db/tenant-transaction.ts'
import { findCredential } from './credential.sql.ts'

/**
 * What every request needs to know of its credential, remembered in the process: at 5,000 requests a second the
 * directory must not be asked each time. An entry is dropped when a change notice names the credential or its tenant,
 * about a second after the change.
 */
export class KnownCredentials {
  readonly #databases: Databases
  readonly #byClientId = new Map<string, Promise<KnownCredential | undefined>>()
  readonly #clientIdsOfTenant = new Map<string, Set<string>>()

  constructor(databases: Databases, notices: CacheInvalidations) {
    this.#databases = databases
    notices.listen((subject) => this.#forget(subject))
  }

  async find(clientId: string): Promise<KnownCredential | undefined> {
    const remembered = this.#byClientId.get(clientId)
    if (remembered) return remembered
    const lookUp = this.#lookUp(clientId)
    this.#byClientId.set(clientId, lookUp)
    try {
      const found = await lookUp
      if (found) this.#remember(clientId, found.tenantId)
      else this.#byClientId.delete(clientId)
      return found
    } catch (error) {
      // A failure is not knowledge: the next request asks again.
      this.#byClientId.delete(clientId)
      throw error
    }
  }

  async #lookUp(clientId: string): Promise<KnownCredential | undefined> {
    const row = await inDirectoryTransaction(this.#databases, { clientId, access: 'read' }, (tx) =>
      findCredential(tx, clientId),
    )
    return (
      row && {
        tenantId: row.tenantId,
        requestsPerMinute: row.requestsPerMinute,
        isDisabled: row.isDisabled,
        tokensNotBefore: row.tokensNotBefore ?? 0,
      }
    )
  }

  #remember(clientId: string, tenantId: string): void {
    if (this.#byClientId.size > credentialsRememberedMax) {
      this.#byClientId.clear()
      this.#clientIdsOfTenant.clear()
    }
    const ofTenant = this.#clientIdsOfTenant.get(tenantId) ?? new Set()
    this.#clientIdsOfTenant.set(tenantId, ofTenant.add(clientId))
  }

  #forget(subject: string): void {
    this.#byClientId.delete(subject)
    for (const clientId of this.#clientIdsOfTenant.get(subject) ?? []) this.#byClientId.delete(clientId)
    this.#clientIdsOfTenant.delete(subject)
  }
}

// Ten times the planned number of credentials; past it, everything is simply looked up again.
const credentialsRememberedMax = 100_000
