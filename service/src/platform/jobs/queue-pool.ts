import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from '../base/log.ts'
import { isConnectionLost, translateConnectionErrors } from '../postgres/sql-errors.ts'
import type { QueueSession } from './queue-session.ts'

interface QueueRun {
  readonly log: Logger
  readonly session: QueueSession
  /** Aborted when the run ends. Other workers then unlock its jobs. */
  readonly ended: AbortSignal
  /** Called when it is unknown which jobs the run has locked: it must end, and the next run gets another name. */
  readonly onLost: () => void
}

/**
 * Wraps the pool for graphile-worker, so that a database that restarts or fails over stops neither the process nor the
 * queue. graphile-worker does not wait for the statement that completes or fails a job: its rejection would be
 * unhandled and end the process, with the queues of all other databases. This pool repeats such a statement until it
 * succeeds. If another statement is lost with its connection, it may have locked a job that no one runs.
 */
export function queuePool(pool: pg.Pool, run: QueueRun): pg.Pool {
  // graphile-worker calls back only for the connection on which it listens.
  const connect = (callback?: Parameters<pg.Pool['connect']>[0]) => {
    if (!callback) return Promise.resolve(queueClient(pool, run))
    const listener = run.session.listener()
    return callback(undefined, listener, () => listener.release())
  }
  return new Proxy(pool, {
    get: (target, name) => {
      if (name === 'connect') return connect
      const value: unknown = Reflect.get(target, name, target)
      // The pool's own `query` connects with a callback too, and must get a real connection.
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** Connects with the first statement, because its kind decides how a failure is handled. */
function queueClient(pool: pg.Pool, run: QueueRun): Pick<pg.PoolClient, 'query' | 'release'> {
  let connecting: Promise<pg.PoolClient> | undefined
  const query = (statement: pg.QueryConfig, values?: unknown[]) => {
    if (isEndOfJob(statement)) return repeat(() => pool.query(statement), run)
    connecting ??= pool.connect()
    // Translated because graphile-worker retries some error codes for minutes. The session announces jobs again every
    // second.
    return translateConnectionErrors(async () => {
      const client = await (connecting as Promise<pg.PoolClient>)
      return client.query(statement, values).catch((error: unknown) => {
        if (isConnectionLost(error)) run.onLost()
        throw error
      })
    })
  }
  const release = () =>
    connecting?.then(
      (client) => client.release(),
      () => undefined,
    )
  return { query, release } as unknown as Pick<pg.PoolClient, 'query' | 'release'>
}

/** Recognizes the statements by the names that graphile-worker gives them. */
function isEndOfJob({ name }: { name?: string | undefined }): boolean {
  return /^(complete|fail)_jobs?(_q)?\//.test(name ?? '')
}

const repeatMs = 500
const attemptsMax = 1_200

/** Never rejects. Gives up after ten minutes, or if the run ends first: the job then runs again, as after a crash. */
async function repeat(send: () => Promise<pg.QueryResult>, { log, ended, onLost }: QueueRun): Promise<unknown> {
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    try {
      return await send()
    } catch (error) {
      log.warn({ err: error, attempt }, 'the end of a job could not be stored; retrying')
    }
    if (ended.aborted) break
    await sleep(repeatMs, undefined, { ref: false })
  }
  onLost()
  return { rows: [] }
}
