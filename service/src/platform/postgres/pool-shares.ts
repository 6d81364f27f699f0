import type pg from 'pg'
import { addTo } from '../base/counts.ts'
import { isSuperseded } from './check-server.ts'
import { countWaiting, recordWait } from './pool-metrics.ts'
import { DatabaseUnavailable, translateConnectionErrors } from './sql-errors.ts'

/** A connection of a pool, for as long as a transaction needs it. */
export interface Lease {
  readonly client: pg.PoolClient
  /** With an error, the connection does not return to the pool. */
  release(error?: Error): void
}

interface Waiter {
  readonly since: number
  readonly timer: NodeJS.Timeout
  readonly proceed: () => void
}

/**
 * Divides the connections of a pool between tenants. A tenant has at most its share at once, so that its long
 * statements leave connections to the others. If all are in use, waiting tenants take turns, however many requests each
 * has. Work without a tenant, such as finding a session, takes turns as well but has no limit, because it is short.
 */
class PoolShares {
  readonly #pool: pg.Pool
  readonly #max: number
  readonly #perTenantMax: number
  readonly #leasedBy = new Map<string, number>()
  /** Tenants in the order of their turns. */
  readonly #waitingOf = new Map<string, Waiter[]>()
  #leased = 0
  #waiting = 0

  constructor(pool: pg.Pool) {
    this.#pool = pool
    this.#max = pool.options.max
    this.#perTenantMax = connectionsPerTenantMax(this.#max)
    countWaiting(pool, () => this.#waiting)
  }

  /** Fails fast if a database is unavailable: waiting requests must not exhaust the process for other databases. */
  async lease(tenantId: string): Promise<Lease> {
    if (this.#waiting + this.#pool.waitingCount > waitingMax)
      throw new DatabaseUnavailable('Too many requests wait for this database.')
    if (this.#hasRoom(tenantId)) this.#count(tenantId, 1)
    else await this.#turn(tenantId)
    try {
      const client = await this.#connect()
      return {
        client,
        release: (error) => {
          client.release(error)
          this.#giveBack(tenantId)
        },
      }
    } catch (error) {
      this.#giveBack(tenantId)
      throw error
    }
  }

  /** Ends after at most as many attempts as the pool has connections: new ones are never superseded. */
  async #connect(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await translateConnectionErrors(() => this.#pool.connect())
      if (!isSuperseded(client)) return client
      client.release(true)
    }
  }

  #hasRoom(tenantId: string): boolean {
    if (this.#leased >= this.#max) return false
    return tenantId === withoutTenant || (this.#leasedBy.get(tenantId) ?? 0) < this.#perTenantMax
  }

  /** Resolves when the connection is counted. Throws if that takes longer than opening a connection may. */
  #turn(tenantId: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const since = performance.now()
    const timer = setTimeout(() => {
      this.#leave(tenantId, waiter)
      recordWait(this.#pool, performance.now() - since)
      reject(new DatabaseUnavailable('No connection to the database became free in time.'))
    }, this.#pool.options.connectionTimeoutMillis)
    const waiter: Waiter = { since, timer, proceed: resolve }
    const waiting = this.#waitingOf.get(tenantId) ?? []
    waiting.push(waiter)
    this.#waitingOf.set(tenantId, waiting)
    this.#waiting += 1
    return promise
  }

  #giveBack(tenantId: string): void {
    this.#count(tenantId, -1)
    for (const [next, waiting] of this.#waitingOf) {
      if (!this.#hasRoom(next)) continue
      const [waiter] = waiting
      if (!waiter) continue
      clearTimeout(waiter.timer)
      this.#leave(next, waiter)
      // A tenant that has more waiting moves to the end of the turns.
      if (this.#waitingOf.delete(next)) this.#waitingOf.set(next, waiting)
      this.#count(next, 1)
      recordWait(this.#pool, performance.now() - waiter.since)
      waiter.proceed()
      return
    }
  }

  #leave(tenantId: string, waiter: Waiter): void {
    const waiting = this.#waitingOf.get(tenantId) ?? []
    waiting.splice(waiting.indexOf(waiter), 1)
    if (waiting.length === 0) this.#waitingOf.delete(tenantId)
    this.#waiting -= 1
  }

  #count(tenantId: string, change: 1 | -1): void {
    this.#leased += change
    addTo(this.#leasedBy, tenantId, change)
  }
}

/** Leases a connection for work of this tenant, or of no tenant. */
export function leaseConnection(pool: pg.Pool, tenantId: string | undefined): Promise<Lease> {
  const shares = sharesOf.get(pool) ?? new PoolShares(pool)
  sharesOf.set(pool, shares)
  return shares.lease(tenantId ?? withoutTenant)
}

const sharesOf = new WeakMap<pg.Pool, PoolShares>()

/**
 * A tenant leaves a quarter of the connections to others. A larger part would cost a cell with one busy tenant
 * throughput; a pool of fewer than four has none to leave.
 */
export function connectionsPerTenantMax(max: number): number {
  return max - Math.floor(max / 4)
}

const withoutTenant = ''
const waitingMax = 100
