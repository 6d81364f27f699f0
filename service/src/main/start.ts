import { type Config, ConfigError, readConfig, readOwnerConfig } from '../platform/base/config.ts'
import { chainIdProblems } from '../sales/wallets/blockchains.ts'

/** Reads the settings. If any are missing or invalid, prints one line for each and exits with code 1. */
export function readConfigOrExit(settings?: Record<string, string | undefined>): Config {
  return readOrExit(() => {
    const config = readConfig(settings)
    const problems = chainIdProblems(config)
    if (problems.length > 0) throw new ConfigError(problems)
    return config
  })
}

/** Reads the settings of migrations, which need only the databases. */
export function readOwnerConfigOrExit(): ReturnType<typeof readOwnerConfig> {
  return readOrExit(() => readOwnerConfig())
}

function readOrExit<Settings>(read: () => Settings): Settings {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return exitBecause(error.problems)
  }
}

/** Prints one line for each problem of the settings, and ends the process. */
export function exitBecause(problems: readonly string[]): never {
  for (const problem of problems) process.stderr.write(`${problem}\n`)
  process.exit(1)
}

/**
 * Reads the settings of a process with a job queue. It needs a second login: no login may use both roles of the
 * service, see docs/configuration.md.
 */
export function readWorkerConfigOrExit(): Config {
  const config = readConfigOrExit()
  if (config.environment === 'development' || config.workerDatabaseUrl !== config.databaseUrl) return config
  return exitBecause(['WORKER_DATABASE_URL is missing. Set it to the login of the job queue.'])
}
