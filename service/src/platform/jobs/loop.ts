import type pg from 'pg'
import { counter, histogram, type Observe, observedGauge } from '../base/metric.ts'
import { type RunningLoop, runLoop } from '../base/run-loop.ts'
import type { Sql } from '../postgres/sql.ts'
import type { JobContext } from './job.ts'
import { type WatchedLoop, watchForWork } from './watch-for-work.sql.ts'

/** Services and facts that a loop of one cell can use. */
export interface LoopContext extends JobContext {
  readonly cell: string
  /** Connections with the worker's role, which sees a few columns of all tenants. */
  readonly pool: pg.Pool
}

/**
 * Work that every worker repeats for each of its cells. All workers run all loops, so `run` must be safe to run in
 * several processes at once, and a process may be killed at any line of it.
 */
export interface Loop<Context extends LoopContext = LoopContext> {
  readonly name: string
  /** The pause after a run. After a failed run it is at most half a minute. */
  readonly everyMs: number
  /**
   * Boolean expression that is true if the loop has work, evaluated with the worker's role. The loop then runs only
   * while there is some, and every half minute in any case.
   */
  readonly isDue?: (context: Context) => Sql
  /** Call `beat` now and then in a run that may take minutes, so that it does not look hung. */
  readonly run: (context: Context, beat: () => void) => Promise<void>
}

export function loop<Context extends LoopContext>(declared: Loop<Context>): Loop<Context> {
  return declared
}

/** Starts all loops of one cell. Logs and counts their failures; the next run retries. */
export function startLoops<Context extends LoopContext>(
  loops: readonly Loop<Context>[],
  context: Context,
  /** Longest pause while no loop has work. */
  idleMs = 50,
): RunningLoop[] {
  const started = loops.map((declared) => startLoop(declared, context))
  const watched = started.filter((one) => one.isDue !== undefined) as (WatchedLoop & RunningLoop)[]
  if (watched.length === 0) return started
  return [...started, watchForWork(context.cell, watched, { pool: context.pool, idleMs, log: context.log })]
}

function startLoop<Context extends LoopContext>(
  { name, everyMs, isDue, run }: Loop<Context>,
  context: Context,
): RunningLoop & Omit<WatchedLoop, 'isDue'> & { isDue: Sql | undefined } {
  const longestMs = isDue ? maxPauseMs : everyMs
  const labels = { loop: name, cell: context.cell }
  const log = context.log.child(labels)
  runs.add(0, labels)
  failures.add(0, labels)
  const observe: Observed = (report) => {
    report(lastSuccess, labels)
  }
  let lastSuccess = 0
  let endedAt = Number.NEGATIVE_INFINITY
  const running = runLoop(`${name}, ${context.cell}`, longestMs, async (beat) => {
    const startedAt = performance.now()
    let pauseMs = longestMs
    try {
      await run({ ...context, log }, beat)
      lastSuccess = Date.now() / 1000
    } catch (error) {
      pauseMs = Math.min(everyMs, maxPauseMs)
      failures.add(1, labels)
      log.warn({ err: error }, 'loop failed; retrying')
    }
    runs.add(1, labels)
    endedAt = performance.now()
    duration.record((endedAt - startedAt) / 1000, labels)
    return pauseMs
  })
  observed.add(observe)
  return {
    everyMs,
    isDue: isDue?.(context),
    wake: () => {
      if (performance.now() - endedAt >= everyMs) running.wake()
    },
    stop: async () => {
      await running.stop()
      observed.delete(observe)
    },
  }
}

/**
 * Longest pause after a failure, so that an hourly loop does not lose an hour to one slow connection; also the longest
 * pause of a loop that has no work.
 */
const maxPauseMs = 30_000

type Observed = (report: Observe<'loop' | 'cell'>) => void
const observed = new Set<Observed>()

const labels = ['loop', 'cell'] as const
const runs = counter('loop_runs', { description: 'Runs of a loop, failed ones included', labels })
const failures = counter('loop_failures', { description: 'Runs of a loop that failed', labels })
const duration = histogram('loop_duration_seconds', {
  description: 'How long a run of a loop takes',
  labels,
  buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30, 120],
})
observedGauge('loop_last_success_time_seconds', {
  description: 'When a loop last succeeded, in seconds since 1970; 0 if it has not succeeded since the process started',
  labels,
  read: (report) => {
    for (const observe of observed) observe(report)
  },
})
