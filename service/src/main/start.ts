import { type Config, ConfigError, readConfig } from '../platform/base/config.ts'

/** Reads the settings. If any are missing or invalid, prints one line for each and exits with code 1. */
export function readConfigOrExit(settings?: Record<string, string | undefined>): Config {
  try {
    return readConfig(settings)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    for (const problem of error.problems) process.stderr.write(`${problem}\n`)
    process.exit(1)
  }
}
