import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { Logger as QueueLogger, run, type TaskList, type WorkerEvents } from 'graphile-worker'
import type pg from 'pg'
import { type Logger, OwnError } from '../base/log.ts'
import { type Job, type JobContext, PermanentJobError, RetryableJobError } from './job.ts'
import { Sweeper } from './sweeper.ts'

export interface Worker {
  stop(): Promise<void>
}

export interface Queue {
  pool: pg.Pool
  database: string
  concurrency: number
  /** Jobs are fetched many at a time: for so much concurrency that asking for each would be a load of its own. */
  isBatched?: boolean
}

/**
 * Works on the queue of one database until it is stopped, and frees what workers left behind that died. A database that
 * is away, at the start or later, is waited for: the other queues of the process go on meanwhile.
 */
export function startWorker(queue: Queue, jobs: readonly Job[], context: JobContext): Worker {
  const log = context.log.child({ database: queue.database })
  const tasks = taskListOf(jobs, context, log)
  const stopped = Promise.withResolvers<void>()
  let isStopped = false
  const work = async () => {
    while (!isStopped) {
      try {
        await workUntil(stopped.promise, queue, tasks, log)
      } catch (error) {
        log.error({ err: error }, 'the queue cannot be worked on; trying again')
        await Promise.race([stopped.promise, sleep(restartMs, undefined, { ref: false })])
      }
    }
  }
  const working = work()
  return {
    stop: async () => {
      isStopped = true
      stopped.resolve()
      await working
    },
  }
}

const restartMs = 1_000
/** What was fetched and found no free place here goes back, for another process to take. */
const localTtlMs = 2_000

async function workUntil(stopped: Promise<void>, queue: Queue, taskList: TaskList, log: Logger): Promise<void> {
  const events: WorkerEvents = new EventEmitter()
  const poolId = Promise.withResolvers<string>()
  events.once('pool:create', ({ workerPool }) => poolId.resolve(workerPool.id))
  const runner = await run({
    pgPool: queue.pool,
    taskList,
    concurrency: queue.concurrency,
    events,
    noHandleSignals: true,
    // A new job is noticed through LISTEN; this is for when that connection is lost.
    pollInterval: 1_000,
    crontab: '',
    logger: quietLogger(log),
    ...(queue.isBatched ? { preset: { worker: { localQueue: { size: queue.concurrency, ttl: localTtlMs } } } } : {}),
  })
  const sweeper = new Sweeper(queue.pool, await poolId.promise, log)
  sweeper.start()
  log.info('working on the queue')
  try {
    await Promise.race([stopped.then(() => runner.stop()), runner.promise])
  } finally {
    await sweeper.stop()
  }
}

function taskListOf(jobs: readonly Job[], context: JobContext, log: Logger): TaskList {
  const ajv = new Ajv2020({ formats: { 'date-time': true } })
  return Object.fromEntries(
    jobs.map((job) => {
      const isValid = ajv.compile(job.payload)
      const task: TaskList[string] = async (payload, { job: { id, attempts } }) => {
        const described = { job: job.name, job_id: id, attempt: attempts }
        try {
          if (!isValid(payload)) throw new PermanentJobError(`The payload of ${job.name} does not fit its schema.`)
          await job.run(payload as never, context)
          log[job.isFrequent ? 'debug' : 'info'](described, 'job done')
        } catch (error) {
          if (error instanceof PermanentJobError) {
            log.error({ ...described, err: error }, 'job given up')
            return
          }
          log.warn({ ...described, err: error }, 'job failed and will be tried again')
          // The queue keeps the text of an error, and a driver's text may hold personal data.
          throw error instanceof OwnError ? error : new RetryableJobError(`${job.name} failed; see the log.`)
        }
      }
      return [job.name, task]
    }),
  )
}

/** The queue's own lines at debug: its text may quote a payload or an error, and the allow-list drops its details. */
function quietLogger(log: Logger): QueueLogger {
  return new QueueLogger(() => (level, message) => {
    if (level === 'error') log.warn({ problem: message.slice(0, 200) }, 'job queue')
  })
}
