import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import type pg from 'pg'
import { newId } from '../base/ids.ts'
import type { KeyRing } from '../base/key-ring.ts'
import { type BoxKey, keyIdOf, open, seal } from '../base/sealed-box.ts'
import { withoutForcedPolicies } from './restored-database.ts'
import { sql } from './sql.ts'
import { DatabaseUnavailable } from './sql-errors.ts'
import type { Transaction } from './transaction.ts'

/** Encrypts data that must stay secret even if the database is stolen. Bound to one tenant and one transaction. */
export interface Vault {
  /** `sealedFor` identifies the value, such as the id of its row and its column. The box opens only for that. */
  seal(plain: string, sealedFor: string): Promise<Buffer>
  open(box: Buffer, sealedFor: string): Promise<string>
  /**
   * A keyed hash in base64url. Equal values of a tenant have equal hashes for the same purpose, until the data key is
   * rotated. It cannot be reversed by guessing without the key, unlike a plain hash of an IBAN.
   */
  hash(plain: string, purpose: string): Promise<string>
  /** The hashes under all keys of the tenant, to find values that were stored before a rotation. */
  hashes(plain: string, purpose: string): Promise<string[]>
}

/** Returns the opened value, or undefined if it is damaged: one damaged value must not stop work on the others. */
export async function openedOrUndefined<T>(opened: Promise<T>): Promise<T | undefined> {
  try {
    return await opened
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error
    return undefined
  }
}

/** Returns all tenants of a cell. Needs the role of the job queue: any other sees one tenant at a time. */
export async function selectTenantIds(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>('select id from cell.tenant order by id')
  return rows.map(({ id }) => id)
}

/** Like selectTenantIds, for the owner of a cell to which no one else can connect. */
export function selectTenantIdsAsOwner(client: pg.Client): Promise<string[]> {
  return withoutForcedPolicies(client, ['cell.tenant'], async () => {
    const { rows } = await client.query<{ id: string }>('select id from cell.tenant order by id')
    return rows.map(({ id }) => id)
  })
}

interface TenantKeys {
  readonly current: BoxKey
  readonly byId: ReadonlyMap<string, BoxKey>
}

/**
 * Envelope encryption: each tenant has its own data keys, stored in its cell and encrypted (wrapped) with a master key
 * from the settings. The process caches unwrapped keys, so sealing takes microseconds and no query.
 */
export class Vaults {
  readonly #masterKeys: KeyRing
  readonly #keysOfTenant = new Map<string, { keys: Promise<TenantKeys>; readAt: number }>()

  constructor(masterKeys: KeyRing) {
    this.#masterKeys = masterKeys
  }

  of(tx: Transaction, tenantId: string): Vault {
    return {
      seal: async (plain, sealedFor) => {
        const { current } = await this.#keys(tx, tenantId)
        return seal(current, plain, `${tenantId} ${sealedFor}`)
      },
      open: async (box, sealedFor) => {
        const key = await this.#key(tx, tenantId, keyIdOf(box))
        return open(key, box, `${tenantId} ${sealedFor}`).toString()
      },
      hash: async (plain, purpose) => {
        const { current } = await this.#keys(tx, tenantId)
        return keyedHash(current, `${tenantId} ${purpose} ${plain}`)
      },
      hashes: async (plain, purpose) => {
        const { byId } = await this.#keys(tx, tenantId)
        return [...byId.values()].map((key) => keyedHash(key, `${tenantId} ${purpose} ${plain}`))
      },
    }
  }

  /** Adds a data key, which encrypts all new data. Creating a tenant adds its first key. */
  async addKey(tx: Transaction, tenantId: string): Promise<void> {
    const key = { id: newId(), secret: createSecretKey(randomBytes(32)) }
    await tx.rows(sql`
      insert into cell.data_key (tenant_id, id, master_key_id, wrapped)
      values (${tenantId}, ${key.id}, ${this.#masterKeys.current.id}, ${this.#wrap(tenantId, key)})`)
    this.#keysOfTenant.delete(tenantId)
  }

  /** Rewraps all data keys of the tenant with the current master key, so that older master keys can be removed. */
  async rewrapKeys(tx: Transaction, tenantId: string): Promise<number> {
    const { byId } = await this.#read(tx, tenantId)
    for (const key of byId.values())
      await tx.rows(sql`
        update cell.data_key
        set master_key_id = ${this.#masterKeys.current.id}, wrapped = ${this.#wrap(tenantId, key)}
        where tenant_id = ${tenantId} and id = ${key.id}`)
    return byId.size
  }

  /** Returns the ids of the tenant's keys as stored now, newest first, and whether all processes use the newest. */
  async storedKeys(tx: Transaction, tenantId: string): Promise<{ ids: string[]; isSettled: boolean }> {
    const keys = await this.#read(tx, tenantId)
    const age = await tx.row<{ isSettled: boolean }>(sql`
      select created_at < clock_timestamp() - ${settledAfter}::interval as "isSettled"
      from cell.data_key where tenant_id = ${tenantId} and id = ${keys.current.id}`)
    return { ids: [...keys.byId.keys()], isSettled: age?.isSettled === true }
  }

  /** Deletes all keys but the newest. Any value still sealed with one of them is lost. */
  async dropOldKeys(tx: Transaction, tenantId: string, newest: string): Promise<number> {
    const dropped = await tx.rows(sql`
      delete from cell.data_key where tenant_id = ${tenantId} and id <> ${newest}
        and created_at < (select created_at from cell.data_key where tenant_id = ${tenantId} and id = ${newest})
      returning id`)
    this.#keysOfTenant.delete(tenantId)
    return dropped.length
  }

  async #key(tx: Transaction, tenantId: string, keyId: string): Promise<BoxKey> {
    const cached = (await this.#keys(tx, tenantId)).byId.get(keyId)
    // Another process may have added a key since.
    const key = cached ?? (await this.#read(tx, tenantId)).byId.get(keyId)
    if (!key) throw new Error('data is sealed with a key that the tenant does not have')
    return key
  }

  #keys(tx: Transaction, tenantId: string): Promise<TenantKeys> {
    const cached = this.#keysOfTenant.get(tenantId)
    return cached && cached.readAt > performance.now() - cacheMs ? cached.keys : this.#read(tx, tenantId)
  }

  /** Caches the promise, so that a page of sealed rows runs one query. */
  #read(tx: Transaction, tenantId: string): Promise<TenantKeys> {
    const keys = this.#select(tx, tenantId)
    if (this.#keysOfTenant.size >= cachedTenantsMax) this.#keysOfTenant.clear()
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
    if (!master) throw new Error(`DATA_MASTER_KEYS does not contain the key ${row.masterKeyId}`)
    const decipher = createDecipheriv('aes-256-gcm', masterBytes(master.secret), row.wrapped.subarray(0, 12))
    decipher.setAAD(Buffer.from(`${tenantId} ${row.id}`))
    decipher.setAuthTag(row.wrapped.subarray(-16))
    const secret = Buffer.concat([decipher.update(row.wrapped.subarray(12, -16)), decipher.final()])
    return { id: row.id, secret: createSecretKey(secret) }
  }
}

// Longest time until data is encrypted with a key that another process added. Such data can be opened at once.
const cacheMs = 60_000
// A process may still seal with an older key for the time above, in a transaction that then takes up to 15 minutes: the
// import of a bank statement. After twice that time, no value sealed with it can be committed.
const settledAfter = '32 minutes'
const cachedTenantsMax = 100_000

function keyedHash({ secret }: BoxKey, text: string): string {
  return createHmac('sha256', hashKeyOf(secret)).update(text).digest('base64url')
}

/** Derives a key, so that the data key itself only encrypts. Kept with it: deriving takes longer than hashing. */
function hashKeyOf(secret: KeyObject): KeyObject {
  let key = hashKeys.get(secret)
  if (!key) {
    key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'vault hash', 32)))
    hashKeys.set(secret, key)
  }
  return key
}

const hashKeys = new WeakMap<KeyObject, KeyObject>()

/** A key of a ring can be longer than the 32 bytes that AES-256 uses. */
function masterBytes(secret: Buffer): Buffer {
  return secret.subarray(0, 32)
}
