import type { Config } from '../platform/base/config.ts'

/**
 * How many connections a process opens to one database at most. docs/configuration.md has the formula: an installation
 * with several processes must stay below `max_connections` of PostgreSQL.
 */
export interface Connections {
  /** With the role of the service, for rows of tenants. */
  readonly app: number
  /** With the role of the worker, for loops and queues; one is the session that listens and locks. */
  readonly worker: number
  /** With the role of the worker, for queues with a high concurrency, which would occupy all others. */
  readonly highVolume: number
}

/**
 * DATABASE_POOL_MAX, of which one is for health checks, some are lanes for reads, and two at least are neither, if
 * there are three. Operators filter and search, which can take long: their reads do not share connections.
 */
export function apiConnections(
  { databasePoolMax, readLanes }: PoolSize & Pick<Config, 'readLanes'>,
  isForIntegrators: boolean,
): { max: number; lanes: number; hasProbe: true } {
  const lanes = isForIntegrators ? Math.min(readLanes, Math.max(0, databasePoolMax - 3)) : 0
  return { max: databasePoolMax - lanes - 1, lanes, hasProbe: true }
}

type PoolSize = Pick<Config, 'databasePoolMax'>

/** DATABASE_POOL_MAX in two halves, and two more in a cell. */
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
