import { setTimeout as sleep } from 'node:timers/promises'
import closeWithGrace from 'close-with-grace'
import { BufferedOutput } from '../platform/base/buffered-output.ts'
import { type Config, ConfigError } from '../platform/base/config.ts'
import { createLogger, type Logger } from '../platform/base/log.ts'
import type { ListeningAt } from './lifetime.ts'
import { type OpenedApi, openApi, type ServedApi } from './open-api.ts'
import { exitBecause, readConfigOrExit } from './start.ts'
import { flushTraces } from './telemetry.ts'

// Statement and transaction timeouts end every request within this time, so shutdown does not cut off accepted
// requests.
const requestSecondsMax = 30

/** Serves one of the two APIs until the process receives a signal to stop. */
export async function serve(api: ServedApi): Promise<void> {
  const config = readConfigOrExit()
  const output = new BufferedOutput()
  const log = createLogger(config.logLevel, api.name, output)
  const opened = await openOrExit(api, config, log)
  drainGracefully(opened, config, log)
  logStart(await opened.start(), opened, { config, log, output })
}

async function openOrExit(api: ServedApi, config: Config, log: Logger): Promise<OpenedApi> {
  try {
    return await openApi(api, config, log)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return exitBecause(error.problems)
  }
}

interface Start {
  readonly config: Config
  readonly log: Logger
  readonly output: BufferedOutput
}

/** Logs where the process listens, then starts to buffer the log: scripts that start a process wait for this line. */
function logStart({ address, port }: ListeningAt, { servedVersions }: OpenedApi, { config, log, output }: Start): void {
  const { environment } = config
  log.info({ address, port, environment, versions: servedVersions }, 'listening')
  if (servedVersions?.length === 0)
    log.warn(
      { environment },
      'no contract version is served, so no token can be issued: release one with RELEASED_VERSIONS',
    )
  output.start(log)
}

function drainGracefully({ drain, close }: OpenedApi, config: Config, log: Logger): void {
  const delay = (config.drainSeconds + requestSecondsMax) * 1000
  closeWithGrace({ delay, logger: false }, async ({ signal, err }) => {
    if (err) log.error({ err }, 'stopping because of an uncaught error')
    log.info({ signal }, 'draining')
    // Reports "draining" and keeps serving, so that load balancers stop sending; then finishes accepted requests.
    drain()
    await sleep(config.drainSeconds * 1000)
    await close()
    await flushTraces()
    log.info('stopped')
  })
}
