import {
  chmodSync,
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { exitCodes, Failure } from '../base/failure.ts'

/** A credential and the service it belongs to. Only the owner may read the file that contains the profiles. */
export interface Profile {
  base_url: string
  client_id: string
  client_secret: string
  scopes: readonly string[]
  /** `listen` signs with it. Stored, so that an endpoint has to be configured only once. */
  webhook_secret: string
  /** True if login was called with --allow-http. */
  allow_http?: boolean
}

export type Profiles = Record<string, Profile>

/** A person who is signed in to the operator API. */
export interface OperatorProfile {
  base_url: string
  /** A personal access token. */
  token: string
  /** Absent unless `operator login` created the token. */
  issued?: { token_id: string; user_id: string; tenant_id: string; expires_at: string }
  allow_http?: boolean
}

export type OperatorProfiles = Record<string, OperatorProfile>

interface Stored {
  profiles: Profiles
  operators: OperatorProfiles
}

export function readProfiles(file: string): Profiles {
  return readStored(file).profiles
}

export function readOperatorProfiles(file: string): OperatorProfiles {
  return readStored(file).operators
}

export function writeProfiles(file: string, profiles: Profiles): void {
  writeStored(file, { ...readStored(file), profiles })
}

export function writeOperatorProfiles(file: string, operators: OperatorProfiles): void {
  writeStored(file, { ...readStored(file), operators })
}

/** Rejects a file that other users can read, with the fix: tighten its mode and rotate the secrets. */
function readStored(file: string): Stored {
  let descriptor: number
  try {
    descriptor = openSync(file, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      return { profiles: ownMembers({}), operators: ownMembers({}) }
    throw new Failure(exitCodes.notPermitted, `Cannot read the file ${file}.`, 'Check its owner and mode with ls -l.')
  }
  try {
    // Checks the open file, so that it cannot be replaced between the check and the read.
    requirePrivate(file, fstatSync(descriptor).mode)
    return parse(file, readFileSync(descriptor, 'utf8'))
  } finally {
    closeSync(descriptor)
  }
}

export function isPrivate(mode: number): boolean {
  return (mode & 0o077) === 0
}

function requirePrivate(file: string, mode: number): void {
  if (!isPrivate(mode))
    throw new Failure(
      exitCodes.notPermitted,
      `Other users can read ${file}, which contains secrets.`,
      `Run: chmod 600 ${quoted(file)}   (and rotate the secrets if the machine has other users)`,
    )
}

function parse(file: string, text: string): Stored {
  try {
    const { profiles, operators = {} } = JSON.parse(text) as Partial<Record<keyof Stored, unknown>>
    if (isObject(profiles) && isObject(operators))
      return { profiles: ownMembers<Profile>(profiles), operators: ownMembers<OperatorProfile>(operators) }
  } catch {}
  throw new Failure(
    exitCodes.notPermitted,
    `The file ${file} is not a valid profile file.`,
    `Run: rm ${quoted(file)} && investor-token login`,
  )
}

/** Copies members to an object without a prototype, so that no profile is found under a name such as `constructor`. */
function ownMembers<Value>(object: object): Record<string, Value> {
  return Object.assign(Object.create(null), object)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Replaces the file atomically, so that a killed process leaves either the old or the new file. */
function writeStored(file: string, stored: Stored): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}.new`
  try {
    writeFileSync(draft, `${JSON.stringify(stored, undefined, 2)}\n`, { mode: 0o600, flag: 'wx' })
    // The umask may have removed bits from the mode above.
    chmodSync(draft, 0o600)
    renameSync(draft, file)
  } finally {
    rmSync(draft, { force: true })
  }
}

function quoted(file: string): string {
  return /^[\w./-]+$/.test(file) ? file : `'${file.replaceAll("'", `'\\''`)}'`
}
