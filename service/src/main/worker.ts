import closeWithGrace from 'close-with-grace'
import { createLogger } from '../base/log.ts'
import { repeat } from '../base/repeat.ts'
import { ChangeNotices } from '../db/change-notices.ts'
import { rollPartitions } from '../db/partitions.ts'
import { Placement } from '../db/placement.ts'
import { createPool, openDatabases } from '../db/pools.ts'
import { startWorker } from '../jobs/worker.ts'
import { jobs } from '../jobs.ts'
import { createMailer } from '../mail/mailer.ts'
import { readConfigOrExit } from './start.ts'
import { flushTraces } from './telemetry.ts'

const concurrency = 5
const housekeepingMs = 600_000

const config = readConfigOrExit()
const log = createLogger(config.logLevel, 'worker')
const databases = openDatabases(config, log)
const mailer = createMailer(config.smtpUrl, config.mailFrom)
const placement = new Placement(databases)
const notices = new ChangeNotices(databases, log)
notices.listen((subject) => placement.forget(subject))
notices.start()
const context = { databases, placement, mailer, log }

// Every database has a queue of its own, so that a job commits with the rows that ask for it.
const queues = new Map<string, string>([
  [config.databaseUrl, 'directory'],
  ...[...config.cells].map(([cell, url]) => [url, cell] as const),
])
const pools = [...queues].map(([url, database]) => ({
  database,
  isCell: [...config.cells.values()].includes(url),
  pool: createPool({ url, role: 'investor_token_worker', cell: undefined }, config, log),
}))
const workers = pools.map(({ database, pool }) => startWorker({ database, pool, concurrency }, jobs, context))
const cells = pools.filter(({ isCell }) => isCell)
const housekeeping = cells.map(({ pool }) => repeat(housekeepingMs, () => rollPartitions(pool, log)))
log.info({ environment: config.environment, count: workers.length }, 'started')

closeWithGrace({ delay: 30_000, logger: false }, async ({ signal, err }) => {
  if (err) log.error({ err }, 'stopping because of an error that nobody caught')
  log.info({ signal }, 'stopping')
  await Promise.all([...workers, ...housekeeping, notices].map((work) => work.stop()))
  await Promise.all(pools.map(({ pool }) => pool.end()))
  mailer.close()
  await databases.end()
  await flushTraces()
  log.info('stopped')
})
