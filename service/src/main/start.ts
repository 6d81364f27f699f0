import { type Config, ConfigError, readConfig } from '../platform/base/config.ts'

/** The settings, or a sentence for each that is wrong and the end of the process. */
export function readConfigOrExit(settings?: Record<string, string | undefined>): Config {
  try {
    return readConfig(settings)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    for (const problem of error.problems) process.stderr.write(`${problem}\n`)
    process.exit(1)
  }
}
