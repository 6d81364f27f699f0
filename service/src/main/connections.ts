import type { Config } from '../platform/base/config.ts'

/**
 * Maximum number of connections that a process opens to one database. docs/configuration.md has the formula: an
 * installation with several processes must stay below `max_connections` of PostgreSQL.
 */
export interface Connections {
  /** Connections with the role of the service, for rows of tenants. */
  readonly app: number
  /** Connections with the role of the worker, for loops and queues; one is the session that listens and locks. */
  readonly worker: number
  /** Connections with the role of the worker, for queues with a high concurrency, which would occupy all others. */
  readonly highVolume: number
}

/**
 * Splits DATABASE_POOL_MAX: one connection is for health checks, some are lanes for reads, and of three or more at
 * least two remain. Operators filter and search, which can take long, so their reads do not share connections.
 */
export function apiConnections(
  { databasePoolMax, readLanes, databaseWire }: PoolSize & Pick<Config, 'readLanes' | 'databaseWire'>,
  isForIntegrators: boolean,
): { max: number; lanes: number; hasProbe: true } {
  const lanes = isForIntegrators && databaseWire === 'own' ? Math.min(readLanes, Math.max(0, databasePoolMax - 3)) : 0
  return { max: databasePoolMax - lanes - 1, lanes, hasProbe: true }
}

type PoolSize = Pick<Config, 'databasePoolMax'>

/** Splits DATABASE_POOL_MAX into two halves, and adds two in a cell. */
export function workerConnections({ databasePoolMax }: PoolSize, { isCell }: { isCell: boolean }): Connections {
  const app = Math.max(1, Math.floor(databasePoolMax / 2))
  return { app, worker: Math.max(2, databasePoolMax - app), highVolume: isCell ? 2 : 0 }
}

/**
 * The indexer works on at most four tenants at once. The lease of each chain occupies a connection; two are for
 * everything else.
 */
export function indexerConnections({ databasePoolMax, chains }: PoolSize & Pick<Config, 'chains'>): Connections {
  return { app: Math.min(4, databasePoolMax), worker: chains.size + 2, highVolume: 0 }
}
