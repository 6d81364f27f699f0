import { createLogger } from '../platform/base/log.ts'
import { openWorker } from './open-worker.ts'
import { readWorkerConfigOrExit } from './start.ts'
import { stopGracefully } from './stop-gracefully.ts'

const config = readWorkerConfigOrExit()
const log = createLogger(config.logLevel, 'worker')
const worker = await openWorker(config, log)
stopGracefully(worker, log)
const { address, port, count } = await worker.start()
log.info({ address, port, environment: config.environment, count }, 'started')
