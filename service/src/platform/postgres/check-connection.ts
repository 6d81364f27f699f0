import type pg from 'pg'
import { LoggableError } from '../base/log.ts'

/** Settings of a session that the service relies on. */
type SessionSettings = Readonly<Record<string, string>>

/**
 * Settings for transactions. They bound how long a write keeps rows and an idempotency key locked: with the default
 * `lockSeconds` of 5, a statement ends within 10 s and an idle transaction within 15 s.
 */
export function sessionSettings(role: string, lockSeconds: number): SessionSettings {
  return {
    role,
    lock_timeout: `${lockSeconds}s`,
    statement_timeout: `${2 * lockSeconds}s`,
    idle_in_transaction_session_timeout: `${3 * lockSeconds}s`,
  }
}

/**
 * Settings for a lane, whose statements run outside of `begin` and `commit`: each transaction is a snapshot that cannot
 * write. Other requests wait for a statement, so it must be short; one that takes longer is repeated on the pool.
 */
export function laneSettings(role: string): SessionSettings {
  return {
    role,
    lock_timeout: '1s',
    statement_timeout: '1s',
    idle_in_transaction_session_timeout: '5s',
    default_transaction_read_only: 'on',
    default_transaction_isolation: 'repeatable read',
  }
}

/**
 * Formats the settings that a connection requests at its start. checkConnection checks that the server applied them.
 */
export function startupOptions(settings: SessionSettings): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`)
    .join(' ')
}

/** The connection has another role or other timeouts than it requested, so it must not be used. */
class UnsafeConnection extends LoggableError {
  override readonly name = 'UnsafeConnection'
}

/**
 * Rejects a connection without the role and the timeouts of its startup options. A pooler such as PgBouncer may drop
 * the options: statements would then run with all rights of the login, and row-level security would not separate
 * tenants.
 */
export async function checkConnection(client: pg.Client, expected: SessionSettings): Promise<void> {
  const { rows } = await client.query<{ name: string; value: string }>(
    `select name, case name when 'role' then current_user else current_setting(name) end as value
     from unnest($1::text[]) as name`,
    [Object.keys(expected)],
  )
  const wrong = rows
    .filter(({ name, value }) => value !== expected[name])
    .map(({ name }) => `${name}=${expected[name]}`)
  if (wrong.length === 0) return
  throw new UnsafeConnection(
    `The database connection was opened without ${wrong.join(', ')}: a pooler between service and database has ` +
      'dropped the startup options. Connect to PostgreSQL directly, or let the pooler set them on each of its ' +
      'connections.',
  )
}
