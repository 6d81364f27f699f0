import type pg from 'pg'
import { LoggableError } from '../base/log.ts'

// A write must not lock rows, and with them an idempotency key, for a minute: the longest lock timeout is 15 s.
const timeoutsOf = (lockSeconds: number) => ({
  lock_timeout: `${lockSeconds}s`,
  statement_timeout: `${2 * lockSeconds}s`,
  idle_in_transaction_session_timeout: `${3 * lockSeconds}s`,
})

/** Settings that a connection asks for when it starts; checkConnection checks that the server has applied them. */
export function startupOptions(role: string, lockSeconds: number): string {
  return Object.entries({ role, ...timeoutsOf(lockSeconds) })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
}

/** The connection has another role or other timeouts than it asked for, so it must not be used. */
class UnsafeConnection extends LoggableError {
  override readonly name = 'UnsafeConnection'
}

/**
 * Rejects a connection without the role and the timeouts of its startup options. A pooler such as PgBouncer may drop
 * the options: statements would then run with all rights of the login, and row-level security would not separate
 * tenants.
 */
export async function checkConnection(client: pg.Client, role: string, lockSeconds: number): Promise<void> {
  const expected = { role, ...timeoutsOf(lockSeconds) }
  const { rows } = await client.query<Record<keyof typeof expected, string>>(`
    select current_user as role, current_setting('lock_timeout') as lock_timeout,
           current_setting('statement_timeout') as statement_timeout,
           current_setting('idle_in_transaction_session_timeout') as idle_in_transaction_session_timeout`)
  const wrong = Object.entries(expected).filter(([name, value]) => rows[0]?.[name as keyof typeof expected] !== value)
  if (wrong.length === 0) return
  const settings = wrong.map(([name, value]) => `${name}=${value}`).join(', ')
  throw new UnsafeConnection(
    `The database connection was opened without ${settings}: a pooler between service and database has dropped the ` +
      'startup options. Connect to PostgreSQL directly, or let the pooler set them on each of its connections.',
  )
}
