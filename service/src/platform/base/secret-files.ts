import { readFileSync } from 'node:fs'

export type EnvironmentVariables = Record<string, string | undefined>

/**
 * Settings that are secret or contain a secret. Each can also be given as a file's path, with `_FILE` after its name.
 */
export const secretSettings = [
  'DATABASE_URL',
  'CELLS',
  'READ_DATABASE_URL',
  'READ_CELLS',
  'WORKER_DATABASE_URL',
  'WORKER_CELLS',
  'OWNER_DATABASE_URL',
  'OWNER_CELLS',
  'REDIS_URL',
  'TOKEN_SIGNING_KEYS',
  'SECRET_PEPPERS',
  'DATA_MASTER_KEYS',
  'SMTP_URL',
  'CHAINS',
  'PKCS11_PIN',
  'OIDC_CLIENT_SECRETS',
] as const

/** Returns the settings with the trimmed contents of the files that `…_FILE` names. */
export function withSecretFiles(env: EnvironmentVariables, problems: string[]): EnvironmentVariables {
  const read: EnvironmentVariables = { ...env }
  for (const name of secretSettings) {
    const file = env[`${name}_FILE`]
    if (!file) continue
    if (env[name]) problems.push(`${name}_FILE is invalid: ${name} is set too; set one of the two.`)
    else
      try {
        read[name] = readFileSync(file, 'utf8').trim()
        if (!read[name]) problems.push(`${name}_FILE is invalid: the file is empty.`)
      } catch (error) {
        const { code = 'unknown error' } = error as NodeJS.ErrnoException
        problems.push(`${name}_FILE is invalid: the file cannot be read (${code}).`)
      }
  }
  return read
}
