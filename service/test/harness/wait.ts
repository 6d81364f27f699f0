import { setTimeout as sleep } from 'node:timers/promises'
import type { TestInstallation } from './service.ts'

/** Waits until something is so, and fails with a sentence when it does not become so in time. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>, withinMs = 10_000): Promise<void> {
  const endsAt = performance.now() + withinMs
  while (!(await isSo())) {
    if (performance.now() > endsAt) throw new Error(`not within ${withinMs} ms: ${what}`)
    await sleep(20)
  }
}

/**
 * How many connections wait for a lock now. On a connection of its own: inside a transaction the answer never changes.
 */
export async function waitingForLocks(installation: TestInstallation): Promise<number> {
  const { rows } = await installation.owner((client) =>
    client.query<{ count: number }>(
      `select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    ),
  )
  return rows[0]?.count ?? 0
}
