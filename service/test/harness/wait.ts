import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

/** Polls until the condition is true. Throws with the description after a timeout that even a busy machine meets. */
export async function until(
  description: string | (() => string),
  condition: () => boolean | Promise<boolean>,
  timeoutMs = 180_000,
): Promise<void> {
  const deadline = performance.now() + timeoutMs
  while (!(await condition())) {
    if (performance.now() > deadline) {
      const what = typeof description === 'string' ? description : description()
      throw new Error(`timeout after ${timeoutMs} ms: ${what}`)
    }
    await sleep(20)
  }
}

/** Returns true once the condition is true, or false after the timeout. */
export function happensWithin(timeoutMs: number, condition: () => boolean | Promise<boolean>): Promise<boolean> {
  return until('it happens', condition, timeoutMs).then(
    () => true,
    () => false,
  )
}

interface Database {
  rows(text: string): Promise<{ count: number }[]>
}

/**
 * Returns the number of connections that are waiting for a lock. Uses its own connection: within a transaction
 * PostgreSQL returns the same statistics every time.
 */
export async function waitingForLocks(installation: Database): Promise<number> {
  const rows = await installation.rows(
    `select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows[0]?.count ?? 0
}

/** Holds a row lock until everything that `start` begins waits for it, so that the requests really compete. */
export async function competeFor<Result>(
  installation: Database & { owner<Work>(work: (client: pg.Client) => Promise<Work>): Promise<Work> },
  { table, id }: { table: string; id: string },
  start: () => Promise<Result>[],
): Promise<Result[]> {
  return installation.owner(async (client) => {
    await client.query('begin')
    await client.query(`select from ${table} where id = $1 for update`, [id])
    const started = start()
    await until('all wait for the lock', async () => (await waitingForLocks(installation)) === started.length)
    await client.query('commit')
    return Promise.all(started)
  })
}
