import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { Logger as QueueLogger, run, type TaskList, type WorkerEvents } from 'graphile-worker'
import type pg from 'pg'
import { LoggableError, type Logger } from '../base/log.ts'
import { counter, histogram } from '../base/metric.ts'
import { TenantSlots } from '../base/tenant-slots.ts'
import { fetchInTurn } from './fetch-in-turn.ts'
import { type JobContext, type JobQueue, PermanentJobError, RetryableJobError } from './job.ts'
import { inJobSpan } from './job-trace.ts'
import { queuePool } from './queue-pool.ts'
import type { QueueSession } from './queue-session.ts'

export interface Worker {
  /** Name of the queue in a readiness check. */
  readonly name: string
  /** Returns true if it fetches jobs, and false while the database is unavailable. */
  isWorking(): boolean
  stop(): Promise<void>
}

/** The connections of a queue to one database. */
export interface QueueDatabase {
  readonly pool: pg.Pool
  readonly session: QueueSession
  readonly database: string
}

/**
 * Runs the jobs of one queue of one database until it is stopped, and unlocks jobs of workers that died. While the
 * database is unavailable, at startup or later, the worker waits; the other queues of the process continue.
 */
export function startWorker<Context extends JobContext>(
  { pool, session, database }: QueueDatabase,
  queue: JobQueue<Context>,
  context: Context,
): Worker {
  const log = context.log.child({ database, queue: queue.name })
  const slots = new TenantSlots(queue.concurrencyPerTenant ?? queue.concurrency)
  const tasks = taskListOf(queue, { ...context, cell: database }, log, slots)
  const stopped = Promise.withResolvers<void>()
  let isStopped = false
  let isWorking = false
  const onStart = () => {
    isWorking = true
  }
  const work = async () => {
    while (!isStopped) {
      try {
        await workUntil(stopped.promise, { pool, session, onStart }, queue, { tasks, slots }, log)
        isWorking = false
      } catch (error) {
        isWorking = false
        log.error({ err: error }, 'the job queue is unavailable; retrying')
        await Promise.race([stopped.promise, sleep(restartMs, undefined, { ref: false })])
      }
    }
  }
  const working = work()
  return {
    name: `queue ${queue.name} of ${database}`,
    isWorking: () => isWorking,
    stop: async () => {
      isStopped = true
      stopped.resolve()
      await working
    },
  }
}

const restartMs = 1_000
/** Jobs that are not started within this time after being fetched go back to the queue for another process. */
const localTtlMs = 2_000

async function workUntil(
  stopped: Promise<void>,
  { pool, session, onStart }: { pool: pg.Pool; session: QueueSession; onStart: () => void },
  { concurrency, concurrencyPerTenant, isHighVolume }: Omit<JobQueue, 'name' | 'jobs'>,
  { tasks: taskList, slots }: { tasks: TaskList; slots: TenantSlots },
  log: Logger,
): Promise<void> {
  const events: WorkerEvents = new EventEmitter()
  const poolId = Promise.withResolvers<string>()
  events.once('pool:create', ({ workerPool }) => poolId.resolve(workerPool.id))
  const ending = new AbortController()
  const lost = Promise.withResolvers<void>()
  const runner = await run({
    pgPool: queuePool(pool, { log, session, ended: ending.signal, onLost: lost.resolve }),
    taskList,
    concurrency,
    events,
    noHandleSignals: true,
    // The session announces new and due jobs. Polling covers the case that it gets no connection.
    pollInterval: 30_000,
    crontab: '',
    logger: quietLogger(log),
    ...(concurrencyPerTenant ? { forbiddenFlags: fetchInTurn(events, slots) } : {}),
    ...(isHighVolume ? { preset: { worker: { localQueue: { size: concurrency, ttl: localTtlMs } } } } : {}),
  })
  const name = await poolId.promise
  await session.lockName(name)
  log.info('working on the queue')
  onStart()
  const isStopped = stopped.then(() => ending.abort())
  const isLost = lost.promise.then(() => log.warn('the job queue lost its connection; starting again'))
  try {
    await Promise.race([Promise.race([isStopped, isLost]).then(() => runner.stop()), runner.promise])
  } finally {
    ending.abort()
    // Unlocked only now: jobs that still run must not count as those of a dead worker.
    await session.unlockName(name)
  }
}

function taskListOf<Context extends JobContext>(
  { name: queue, jobs }: Pick<JobQueue<Context>, 'name' | 'jobs'>,
  context: Context,
  log: Logger,
  slots: TenantSlots,
): TaskList {
  // A test validates the schemas; compiling JSON Schema's own schema takes longer than compiling all of these.
  const ajv = new Ajv2020({ formats: { 'date-time': true }, meta: false, validateSchema: false })
  for (const job of jobs)
    for (const final of ['true', 'false']) jobFailures.add(0, { cell: context.cell ?? '', task: job.name, final })
  return Object.fromEntries(
    jobs.map((job) => {
      const isValid = ajv.compile(job.payload)
      const task: TaskList[string] = async (stored, { job: { id, attempts, max_attempts: maxAttempts } }) => {
        const described = { job: job.name, job_id: id, attempt: attempts }
        const { traceparent: traceParent, ...payload } = stored as { traceparent?: string; tenant_id?: string }
        // base.enqueue_job rejects a payload without a tenant.
        const tenantId = payload.tenant_id ?? ''
        const span = { job: job.name, queue, attempt: attempts, traceParent }
        const labels = { cell: context.cell ?? '', task: job.name }
        const startedAt = performance.now()
        slots.take(tenantId)
        try {
          if (!isValid(payload)) throw new PermanentJobError(`The payload of ${job.name} does not fit its schema.`)
          await inJobSpan(span, () => job.run(payload as never, context))
          log[job.isFrequent ? 'debug' : 'info'](described, 'job done')
        } catch (error) {
          const isFinal = error instanceof PermanentJobError || attempts >= maxAttempts
          jobFailures.add(1, { ...labels, final: String(isFinal) })
          if (error instanceof PermanentJobError) {
            log.error({ ...described, err: error }, 'job given up')
            return
          }
          log.warn({ ...described, err: error }, 'job failed; retrying')
          // The queue stores the message, and a driver's message may contain personal data.
          throw error instanceof LoggableError ? error : new RetryableJobError(`${job.name} failed; see the log.`)
        } finally {
          jobDuration.record((performance.now() - startedAt) / 1000, labels)
          slots.release(tenantId)
        }
      }
      return [job.name, task]
    }),
  )
}

const jobFailures = counter('job_failures', {
  description: 'Runs of a job that failed. After a final one the job is not retried',
  labels: ['cell', 'task', 'final'],
})
const jobDuration = histogram('job_duration_seconds', {
  description: 'How long a run of a job takes',
  labels: ['cell', 'task'],
  buckets: [0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60],
})

/** Keeps only the queue's errors, shortened: its messages may quote a payload. */
function quietLogger(log: Logger): QueueLogger {
  return new QueueLogger(() => (level, message) => {
    if (level === 'error') log.warn({ problem: message.slice(0, 200) }, 'job queue')
  })
}
