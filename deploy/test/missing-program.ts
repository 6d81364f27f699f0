import { spawnSync } from 'node:child_process'

/** Returns the reason why tests that run these programs are skipped; false if all are installed. */
export function missingProgram(...names: string[]): string | false {
  const missing = names.filter((name) => spawnSync(name, ['--version']).error !== undefined)
  return missing.length === 0 ? false : `not installed: ${missing.join(', ')}`
}
