import closeWithGrace from 'close-with-grace'
import { atMost } from '../base/at-most.ts'
import { systemClock } from '../base/clock.ts'
import { createLogger } from '../base/log.ts'
import { repeat } from '../base/repeat.ts'
import { Chain } from '../chain/chain.ts'
import { Pkcs11Module } from '../chain/pkcs11-module.ts'
import { ChangeNotices } from '../db/change-notices.ts'
import { startSequencer } from '../db/event-sequencer.ts'
import { rollPartitions } from '../db/partitions.ts'
import { Placement } from '../db/placement.ts'
import { createPool, openDatabases } from '../db/pools.ts'
import { Vaults } from '../db/vault.ts'
import { startWorker } from '../jobs/worker.ts'
import { jobs } from '../jobs.ts'
import { createMailer } from '../mail/mailer.ts'
import { startOrderExpiry } from '../orders/expire-orders.ts'
import { localNames, publicNames } from '../outbound/names.ts'
import { Poster } from '../outbound/poster.ts'
import { TargetRules } from '../outbound/target-rules.ts'
import { startSettlement } from '../settlement/start-settlement.ts'
import { startWalletExpiry } from '../wallets/expire-wallets.ts'
import { startFanOut } from '../webhooks/fan-out.ts'
import { attemptsMax } from '../webhooks/schedule.ts'
import { startDelivery } from '../webhooks/start-delivery.ts'
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
const vaults = new Vaults(config.dataMasterKeys)
const context = { databases, placement, mailer, vaults, log }
const settlement = {
  ...context,
  chains: new Map([...config.chains].map(([name, url]) => [name, new Chain(name, url)])),
  module: Pkcs11Module.of(config),
  clock: systemClock,
  bumpAfterMs: config.bumpSeconds * 1_000,
}

const poster = new Poster({
  rules: new TargetRules(config),
  names: config.environment === 'development' ? localNames : publicNames(),
  timeoutMs: config.webhookTimeoutMs,
})
const delivery = {
  ...context,
  vaults,
  poster,
  clock: systemClock,
  triesMax: attemptsMax(config.environment),
  // Half of the connections: the other half is for whatever else the worker does.
  gate: atMost(Math.max(1, Math.floor(config.databasePoolMax / 2))),
}

// Every database has a queue of its own, so that a job commits with the rows that ask for it.
const queues = new Map<string, string>([
  [config.databaseUrl, 'directory'],
  ...[...config.cells].map(([cell, url]) => [url, cell] as const),
])
const pools = [...queues].map(([url, database]) => ({
  database,
  url,
  isCell: [...config.cells.values()].includes(url),
  pool: createPool({ url, role: 'investor_token_worker', cell: undefined }, config, log),
}))
const workers = pools.map(({ database, pool }) => startWorker({ database, pool, concurrency }, jobs, context))
const cells = pools.filter(({ isCell }) => isCell)
// On connections of their own: each lane keeps two for as long as it lives.
const lanePools = cells.map(({ url, database }) => ({
  database,
  pool: createPool({ url, role: 'investor_token_worker', cell: undefined }, { ...config, databasePoolMax: 8 }, log),
}))
const lanes = lanePools.flatMap(({ database, pool }) => startDelivery(pool, database, context, delivery))
const housekeeping = cells.flatMap(({ pool }) => [
  repeat(housekeepingMs, () => rollPartitions(pool, log)),
  startSequencer(pool, log),
  startWalletExpiry(pool, context),
  startOrderExpiry(pool, context),
  ...startFanOut(pool, context),
  ...startSettlement(pool, settlement),
])
log.info({ environment: config.environment, count: workers.length }, 'started')

closeWithGrace({ delay: 30_000, logger: false }, async ({ signal, err }) => {
  if (err) log.error({ err }, 'stopping because of an error that nobody caught')
  log.info({ signal }, 'stopping')
  await Promise.all([...workers, ...lanes, ...housekeeping, notices].map((work) => work.stop()))
  await Promise.all([...pools, ...lanePools].map(({ pool }) => pool.end()))
  poster.close()
  mailer.close()
  await databases.end()
  await flushTraces()
  log.info('stopped')
})
