import { type Observe, observedGauge } from '../../platform/base/metric.ts'
import type { JobQueue } from '../../platform/jobs/job.ts'
import { type Loop, loop } from '../../platform/jobs/loop.ts'
import { jobStates, type MeasuredJobs, selectMeasuredJobs } from './measures.sql.ts'

const everyMs = 15_000

interface QueueMeasures {
  readonly queueOf: ReadonlyMap<string, string>
  readonly jobs: readonly MeasuredJobs[]
}

/** The last values of each database. */
const measuredIn = new Map<string, QueueMeasures>()

/** Counts the jobs of a database. Every worker reports the same values. */
export function measureJobs(queues: readonly Pick<JobQueue<never>, 'name' | 'jobs'>[]): Loop {
  const queueOf = new Map(queues.flatMap((queue) => queue.jobs.map((job) => [job.name, queue.name] as const)))
  return loop({
    name: 'measure-jobs',
    everyMs,
    run: async ({ cell, pool }) => {
      try {
        measuredIn.set(cell, { queueOf, jobs: await selectMeasuredJobs(pool) })
      } catch (error) {
        measuredIn.delete(cell)
        throw error
      }
    },
  })
}

observedGauge('jobs', {
  description:
    'Jobs in a queue: `ready` ones could run now, `scheduled` ones later; `retrying` ones have failed four times, ' +
    '`failed` ones have used all attempts',
  labels: ['cell', 'queue', 'task', 'state'],
  read: (observe) => {
    for (const [cell, { queueOf, jobs }] of measuredIn)
      for (const [job, queue] of queueOf)
        for (const state of jobStates) {
          const found = jobs.find((one) => one.job === job && one.state === state)
          observe(found?.jobs ?? 0, { cell, queue, task: job, state })
        }
  },
})

observedGauge('jobs_oldest_seconds', {
  description: 'How long the oldest `ready` job of a queue could have run; 0 if there is none',
  labels: ['cell', 'queue'],
  read: (observe) => observeOldest('ready', observe),
})

observedGauge('job_running_oldest_seconds', {
  description: 'How long the oldest job of a queue that runs has been running; 0 if none runs',
  labels: ['cell', 'queue'],
  read: (observe) => observeOldest('running', observe),
})

function observeOldest(wanted: MeasuredJobs['state'], observe: Observe<'cell' | 'queue'>): void {
  for (const [cell, { queueOf, jobs }] of measuredIn)
    for (const queue of new Set(queueOf.values())) {
      const found = jobs.filter(({ job, state }) => state === wanted && queueOf.get(job) === queue)
      observe(Math.max(0, ...found.map(({ oldestSeconds }) => oldestSeconds)), { cell, queue })
    }
}
