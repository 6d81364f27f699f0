import { metrics, type ObservableResult } from '@opentelemetry/api'
import type pg from 'pg'
import { type RunningLoop, runLoop } from '../base/run-loop.ts'
import type { JobContext } from './job.ts'

/** What a loop of one cell can use. */
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
  /** The pause after a run, successful or not. */
  readonly everyMs: number
  readonly run: (context: Context) => Promise<void>
}

export function loop<Context extends LoopContext>(declared: Loop<Context>): Loop<Context> {
  return declared
}

/** Starts all loops of one cell. Logs and counts their failures; the next run retries. */
export function startLoops<Context extends LoopContext>(
  loops: readonly Loop<Context>[],
  context: Context,
): RunningLoop[] {
  return loops.map((declared) => startLoop(declared, context))
}

function startLoop<Context extends LoopContext>({ name, everyMs, run }: Loop<Context>, context: Context): RunningLoop {
  const labels = { loop: name, cell: context.cell }
  const log = context.log.child(labels)
  const observe = (result: ObservableResult) => {
    if (lastSuccess !== undefined) result.observe(lastSuccess, labels)
  }
  let lastSuccess: number | undefined
  const running = runLoop(everyMs, async () => {
    const startedAt = performance.now()
    try {
      await run({ ...context, log })
      lastSuccess = Date.now() / 1000
    } catch (error) {
      failures.add(1, labels)
      log.warn({ err: error }, 'loop failed; retrying')
    }
    runs.add(1, labels)
    duration.record((performance.now() - startedAt) / 1000, labels)
  })
  lastSuccessTime.addCallback(observe)
  return {
    stop: async () => {
      await running.stop()
      lastSuccessTime.removeCallback(observe)
    },
  }
}

const meter = metrics.getMeter('loops')
const runs = meter.createCounter('loop_runs', { description: 'Runs of a loop, failed ones included' })
const failures = meter.createCounter('loop_failures', { description: 'Runs of a loop that failed' })
const duration = meter.createHistogram('loop_duration_seconds', {
  description: 'How long a run of a loop takes',
  unit: 's',
  advice: { explicitBucketBoundaries: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30, 120] },
})
const lastSuccessTime = meter.createObservableGauge('loop_last_success_time_seconds', {
  description: 'When a loop last succeeded, in seconds since 1970',
  unit: 's',
})
