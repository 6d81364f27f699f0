import { type Config, ConfigError, readConfig } from '../platform/base/config.ts'
import { chainIdProblems } from '../sales/wallets/blockchains.ts'

/** Reads the settings. If any are missing or invalid, prints one line for each and exits with code 1. */
export function readConfigOrExit(settings?: Record<string, string | undefined>): Config {
  try {
    const config = readConfig(settings)
    const problems = chainIdProblems(config)
    if (problems.length > 0) throw new ConfigError(problems)
    return config
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    for (const problem of error.problems) process.stderr.write(`${problem}\n`)
    process.exit(1)
  }
}
