import type pg from 'pg'
import type { Logger } from '../base/log.ts'
import { type RunningLoop, runLoop } from '../base/run-loop.ts'
import { join, prepared, type Sql, sql } from '../postgres/sql.ts'

/** A loop that runs when there is work for it. */
export interface WatchedLoop {
  /** Boolean SQL expression that is true if there is work. */
  readonly isDue: Sql
  /** The shortest pause between two runs. */
  readonly everyMs: number
  /** Runs the loop, unless it is running already or has just run. */
  wake(): void
}

/**
 * Asks one database for all loops at once whether there is work, and wakes those that have some. One statement for all,
 * because a worker serves many cells of which most are idle. While nothing is due it asks less and less often, but at
 * least every `idleMs`. Rejected: NOTIFY by writers, because commits that notify wait for each other.
 */
export function watchForWork(
  name: string,
  loops: readonly WatchedLoop[],
  { pool, idleMs, log }: { pool: pg.Pool; idleMs: number; log: Logger },
): RunningLoop {
  const statement = prepared(sql`select array[${join(loops.map(({ isDue }) => isDue))}] as due`)
  let pauseMs = busyMs
  return runLoop(`look for work, ${name}`, busyMs, async () => {
    try {
      const { rows } = await pool.query<{ due: boolean[] }>({ ...statement })
      const due = loops.filter((_, index) => rows[0]?.due[index])
      for (const loop of due) loop.wake()
      pauseMs = due.length > 0 ? Math.min(idleMs, ...due.map(({ everyMs }) => everyMs)) : Math.min(idleMs, pauseMs * 2)
    } catch (error) {
      log.warn({ err: error }, 'looking for work failed; retrying')
      pauseMs = retryMs
    }
    return pauseMs
  })
}

const busyMs = 50
const retryMs = 1_000
