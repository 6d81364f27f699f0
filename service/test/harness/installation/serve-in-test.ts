import type { Lifetime, ListeningAt } from '../../../src/main/lifetime.ts'
import { type Config, readConfig } from '../../../src/platform/base/config.ts'
import { createLogger, type Logger } from '../../../src/platform/base/log.ts'
import { chainIdProblems } from '../../../src/sales/wallets/blockchains.ts'
import { LogLines, type Served } from './log-lines.ts'
import type { Main } from './process.ts'

export interface ServedInTest extends Served {
  readonly port: number
}

/** Runs a process of the service inside the test, except for reading settings, signals, telemetry and output. */
export async function serveInTest(main: Main, settings: Record<string, string>): Promise<ServedInTest> {
  const config = readConfig(settings)
  const problems = chainIdProblems(config)
  if (problems.length > 0) throw new Error(problems.join('\n'))
  let end = (_why: string) => {}
  const log = new LogLines(new Promise((resolve) => (end = resolve)))
  const logger = createLogger(config.logLevel, main, {
    write: (line) => log.add(line.trimEnd()),
  })
  const { start, close } = await open[main](config, logger)
  const { address, port = 0 } = await start()
  // Logs the same line as the process.
  logger.info({ address, port }, main === 'worker' ? 'started' : 'listening')
  let stopped: Promise<void> | undefined
  return {
    port,
    output: log.lines,
    logged: (message, withinMs) => log.logged(message, withinMs),
    stop: () => {
      stopped ??= close().then(() => end(`the ${main} was stopped`))
      return stopped
    },
  }
}

type Opened = Lifetime<ListeningAt>

// Modules are loaded when a test starts one: most tests need only the API.
const open: Record<Main, (config: Config, log: Logger) => Promise<Opened>> = {
  api: async (config, log) => {
    const [{ openApi }, { integratorApi }] = await Promise.all([
      import('../../../src/main/open-api.ts'),
      import('../../../src/main/integrator-api.ts'),
    ])
    return openApi(integratorApi, config, log)
  },
  'operator-api': async (config, log) => {
    const [{ openApi }, { servedOperatorApi }] = await Promise.all([
      import('../../../src/main/open-api.ts'),
      import('../../../src/main/served-operator-api.ts'),
    ])
    return openApi(servedOperatorApi, config, log)
  },
  worker: async (config, log) => {
    const { openWorker } = await import('../../../src/main/open-worker.ts')
    return openWorker(config, log)
  },
  indexer: async (config, log) => {
    const { openIndexer } = await import('../../../src/main/open-indexer.ts')
    return openIndexer(config, log)
  },
}
