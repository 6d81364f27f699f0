import type pg from 'pg'
import { histogram, observedGauge } from '../base/metric.ts'

interface PoolLabels {
  /** The cell, or `directory`. */
  readonly database: string
  /** Purpose of the connections. */
  readonly pool: string
}

const observed = new Map<pg.Pool, PoolLabels>()

/** Reports the connections of a pool until it ends, and the time that work waits for one. */
export function observePool(pool: pg.Pool, labels: PoolLabels): void {
  observed.set(pool, labels)
  const connect = pool.connect.bind(pool) as Connect
  // Costs a request nothing while a connection is free.
  const measured: Connect = (callback) => {
    if (pool.idleCount > 0 || pool.totalCount < pool.options.max) return connect(callback)
    const startedAt = performance.now()
    const record = () => waits.record((performance.now() - startedAt) / 1000, { ...labels })
    if (!callback) return connect()?.finally(record)
    return connect((...results) => {
      record()
      callback(...results)
    })
  }
  pool.connect = measured as pg.Pool['connect']
}

/** Adds work that waits outside the pool, see PoolShares. */
export function countWaiting(pool: pg.Pool, waiting: () => number): void {
  waitingElsewhere.set(pool, waiting)
}

/** Records a wait that the pool does not see. */
export function recordWait(pool: pg.Pool, ms: number): void {
  const labels = observed.get(pool)
  if (labels) waits.record(ms / 1000, { ...labels })
}

const waitingElsewhere = new WeakMap<pg.Pool, () => number>()

type Connected = Parameters<Parameters<pg.Pool['connect']>[0]>
type Connect = (callback?: (...results: Connected) => void) => Promise<pg.PoolClient> | undefined

const waits = histogram('db_pool_wait_seconds', {
  description: 'How long work waited for a connection because all were in use',
  labels: ['database', 'pool'],
  buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2],
})

observedGauge('db_pool_connections', {
  description: 'Connections to a database: in use, idle, and how many there may be',
  labels: ['database', 'pool', 'state'],
  read: (observe) => {
    for (const [pool, { database, pool: name }] of openPools()) {
      const labels = { database, pool: name }
      observe(pool.totalCount - pool.idleCount, { ...labels, state: 'used' })
      observe(pool.idleCount, { ...labels, state: 'idle' })
      observe(pool.options.max ?? 0, { ...labels, state: 'max' })
    }
  },
})

observedGauge('db_pool_waiting', {
  description: 'Work that waits for a connection to a database, because all are in use',
  labels: ['database', 'pool'],
  read: (observe) => {
    for (const [pool, labels] of openPools())
      observe(pool.waitingCount + (waitingElsewhere.get(pool)?.() ?? 0), { ...labels })
  },
})

function openPools(): [pg.Pool, PoolLabels][] {
  for (const pool of observed.keys()) if (pool.ended) observed.delete(pool)
  return [...observed]
}
