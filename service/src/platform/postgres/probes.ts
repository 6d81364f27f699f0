import { readdirSync } from 'node:fs'
import type pg from 'pg'
import { withTimeout } from '../base/with-timeout.ts'
import { folderOf, type MigrationSet } from './migration-sets.ts'

/**
 * The connection of each database that only health checks use, by the pool of its requests. If checks waited behind
 * requests, they would report an overloaded database as down, and take all processes out of service at once.
 */
export const probeOf = new WeakMap<pg.Pool, pg.Pool>()

/** Returns true if the server responds at all. Reads no table, because another session may have locked it. */
export async function responds(pool: pg.Pool, msMax: number): Promise<boolean> {
  try {
    await withTimeout((probeOf.get(pool) ?? pool).query('select 1'), msMax)
    return true
  } catch {
    return false
  }
}

/** Returns this release's migrations that have not run, such as `0003_sales`. Rejects if a lock hides them. */
export async function pendingMigrations(pool: pg.Pool, set: 'directory' | 'cell'): Promise<string[]> {
  const names = new Set(await withTimeout(readApplied(probeOf.get(pool) ?? pool, set), checkTimeoutMs))
  return namesOf(set).filter((name) => !names.has(name))
}

/** Keeps its connection if the table is locked: a new one would first read a table that may be locked too. */
async function readApplied(probe: pg.Pool, set: 'directory' | 'cell'): Promise<string[]> {
  const client = await probe.connect()
  let failure: Error | undefined
  try {
    await client.query(`begin; set local lock_timeout = '500ms'`)
    const { rows } = await client.query<{ name: string }>(`select name from ${set}.migration`)
    return rows.map(({ name }) => name)
  } finally {
    await client.query('rollback').catch((error: Error) => {
      failure = error
    })
    client.release(failure)
  }
}

// Twice its lock timeout.
const checkTimeoutMs = 1_000

const known = new Map<MigrationSet, readonly string[]>()

/** Returns the migrations of this release, which do not change while the process runs. */
function namesOf(set: MigrationSet): readonly string[] {
  const names =
    known.get(set) ??
    readdirSync(folderOf(set))
      .filter((file) => file.endsWith('.sql'))
      .map((file) => file.slice(0, -'.sql'.length))
  known.set(set, names)
  return names
}
