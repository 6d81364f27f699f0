import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto'
import { newId } from '../base/ids.ts'
import type { KeyRing } from '../base/key-ring.ts'
import { type BoxKey, keyIdOf, open, seal } from '../base/sealed-box.ts'
import { sql } from './sql.ts'
import type { Transaction } from './transaction.ts'

/** Keeps what of a tenant's data even a stolen database must not show. Bound to one tenant and one transaction. */
export interface Vault {
  /**
   * `context` says what is sealed and where it belongs, such as the row's id and the column; opening needs the same.
   */
  seal(plain: string, context: string): Promise<Buffer>
  open(box: Buffer, context: string): Promise<string>
}

interface TenantKeys {
  readonly current: BoxKey
  readonly byId: ReadonlyMap<string, BoxKey>
}

/**
 * Envelope encryption: every tenant has data keys of its own, kept in its cell and wrapped with a master key from the
 * settings. Unwrapped keys are remembered in the process, so sealing costs microseconds and no query.
 */
export class Vaults {
  readonly #masterKeys: KeyRing
  readonly #keysOfTenant = new Map<string, { keys: Promise<TenantKeys>; readAt: number }>()

  constructor(masterKeys: KeyRing) {
    this.#masterKeys = masterKeys
  }

  of(tx: Transaction, tenantId: string): Vault {
    return {
      seal: async (plain, context) => {
        const { current } = await this.#keys(tx, tenantId)
        return seal(current, Buffer.from(plain), `${tenantId} ${context}`)
      },
      open: async (box, context) => {
        const key = await this.#key(tx, tenantId, keyIdOf(box))
        return open(key, box, `${tenantId} ${context}`).toString()
      },
    }
  }

  /** A new data key, which encrypts from now on; the first one of a tenant comes with the tenant. */
  async addKey(tx: Transaction, tenantId: string): Promise<void> {
    const key = { id: newId(), secret: createSecretKey(randomBytes(32)) }
    await tx.rows(sql`
      insert into cell.data_key (tenant_id, id, master_key_id, wrapped)
      values (${tenantId}, ${key.id}, ${this.#masterKeys.current.id}, ${this.#wrap(tenantId, key)})`)
    this.#keysOfTenant.delete(tenantId)
  }

  /** Wraps every data key of the tenant with the master key in front of the ring, so that older ones can be dropped. */
  async rewrapKeys(tx: Transaction, tenantId: string): Promise<number> {
    const { byId } = await this.#read(tx, tenantId)
    for (const key of byId.values())
      await tx.rows(sql`
        update cell.data_key
        set master_key_id = ${this.#masterKeys.current.id}, wrapped = ${this.#wrap(tenantId, key)}
        where tenant_id = ${tenantId} and id = ${key.id}`)
    return byId.size
  }

  async #key(tx: Transaction, tenantId: string, keyId: string): Promise<BoxKey> {
    const remembered = (await this.#keys(tx, tenantId)).byId.get(keyId)
    // Another process may have added a key since.
    const key = remembered ?? (await this.#read(tx, tenantId)).byId.get(keyId)
    if (!key) throw new Error('data is sealed with a key that the tenant does not have')
    return key
  }

  #keys(tx: Transaction, tenantId: string): Promise<TenantKeys> {
    const remembered = this.#keysOfTenant.get(tenantId)
    return remembered && remembered.readAt > performance.now() - rememberMs ? remembered.keys : this.#read(tx, tenantId)
  }

  /** Remembered as a promise, so that a page of sealed rows asks once. */
  #read(tx: Transaction, tenantId: string): Promise<TenantKeys> {
    const keys = this.#select(tx, tenantId)
    if (this.#keysOfTenant.size >= tenantsRememberedMax) this.#keysOfTenant.clear()
    this.#keysOfTenant.set(tenantId, { keys, readAt: performance.now() })
    keys.catch(() => this.#keysOfTenant.delete(tenantId))
    return keys
  }

  async #select(tx: Transaction, tenantId: string): Promise<TenantKeys> {
    const rows = await tx.rows<{ id: string; masterKeyId: string; wrapped: Buffer }>(sql`
      select id, master_key_id as "masterKeyId", wrapped
      from cell.data_key where tenant_id = ${tenantId} order by created_at desc`)
    const keys = rows.map((row) => this.#unwrap(tenantId, row))
    const [current] = keys
    if (!current) throw new Error('the tenant has no data key')
    return { current, byId: new Map(keys.map((key) => [key.id, key])) }
  }

  #wrap(tenantId: string, { id, secret }: BoxKey): Buffer {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', masterBytes(this.#masterKeys.current.secret), nonce)
    cipher.setAAD(Buffer.from(`${tenantId} ${id}`))
    return Buffer.concat([nonce, cipher.update(secret.export()), cipher.final(), cipher.getAuthTag()])
  }

  #unwrap(tenantId: string, row: { id: string; masterKeyId: string; wrapped: Buffer }): BoxKey {
    const master = this.#masterKeys.find(row.masterKeyId)
    if (!master) throw new Error(`DATA_MASTER_KEYS lacks the key ${row.masterKeyId}`)
    const decipher = createDecipheriv('aes-256-gcm', masterBytes(master.secret), row.wrapped.subarray(0, 12))
    decipher.setAAD(Buffer.from(`${tenantId} ${row.id}`))
    decipher.setAuthTag(row.wrapped.subarray(-16))
    const secret = Buffer.concat([decipher.update(row.wrapped.subarray(12, -16)), decipher.final()])
    return { id: row.id, secret: createSecretKey(secret) }
  }
}

// A key added elsewhere encrypts here at the latest after this; what it sealed meanwhile opens at once.
const rememberMs = 60_000
const tenantsRememberedMax = 100_000

/** A ring's keys may be longer than AES wants. */
function masterBytes(secret: Buffer): Buffer {
  return secret.subarray(0, 32)
}
