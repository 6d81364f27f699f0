import { type BackgroundContext, directoryLoops, loops, queues } from '../background.ts'
import type { Config } from '../platform/base/config.ts'
import type { Logger } from '../platform/base/log.ts'
import { startLoops } from '../platform/jobs/loop.ts'
import { QueueSession } from '../platform/jobs/queue-session.ts'
import { startWorker, type Worker } from '../platform/jobs/worker.ts'
import { createPool } from '../platform/postgres/pools.ts'
import { workerConnections } from './connections.ts'

export interface ServedDatabase {
  readonly queues: readonly Worker[]
  stop(): Promise<void>
}

/**
 * Runs the queues and loops of one database until it is stopped. Every database has its own queues, so that a job
 * commits together with the rows that it belongs to.
 */
export function serveDatabase(
  { database, isCell, url }: { database: string; isCell: boolean; url: string },
  context: BackgroundContext,
  { config, log }: { config: Config; log: Logger },
): ServedDatabase {
  const { worker: max, highVolume: highVolumeMax } = workerConnections(config, { isCell })
  const login = { url, role: 'investor_token_worker', cell: isCell ? database : undefined } as const
  const pool = createPool({ ...login, max }, config, log)
  const highVolumePool = isCell
    ? createPool({ ...login, max: highVolumeMax, purpose: 'webhooks' }, config, log)
    : undefined
  const session = new QueueSession(pool, log.child({ database }))
  session.start()
  const startedQueues = queues
    .filter(({ isForCellsOnly }) => isCell || !isForCellsOnly)
    .map((queue) => {
      const queuePool = (queue.isHighVolume ? highVolumePool : undefined) ?? pool
      return startWorker({ pool: queuePool, session, database }, queue, context)
    })
  const loopContext = { ...context, cell: database, pool }
  const startedLoops = isCell
    ? startLoops(loops, loopContext, config.idlePollMs)
    : startLoops(directoryLoops, loopContext, config.idlePollMs)
  return {
    queues: startedQueues,
    stop: async () => {
      await Promise.all([...startedQueues, ...startedLoops].map((one) => one.stop()))
      // Ends the session last: the jobs of a process without a session count as those of a dead one.
      await session.stop()
      await Promise.all([pool.end(), highVolumePool?.end()])
    },
  }
}
