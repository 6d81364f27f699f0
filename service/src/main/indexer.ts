import { createLogger } from '../platform/base/log.ts'
import { openIndexer } from './open-indexer.ts'
import { readWorkerConfigOrExit } from './start.ts'
import { stopGracefully } from './stop-gracefully.ts'

const config = readWorkerConfigOrExit()
const log = createLogger(config.logLevel, 'indexer')
const indexer = await openIndexer(config, log)
stopGracefully(indexer, log)
const { address, port, count } = await indexer.start()
log.info({ address, port, environment: config.environment, count }, 'listening')
