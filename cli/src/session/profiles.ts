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

/** Who to be, and where. The file that holds them is for its owner's eyes only. */
export interface Profile {
  base_url: string
  client_id: string
  client_secret: string
  scopes: readonly string[]
  /** `listen` signs with it, the same one each time, so that an endpoint is set up once. */
  webhook_secret: string
  /** Whether http to another machine was asked for. */
  allow_http?: boolean
}

export type Profiles = Record<string, Profile>

/** Refuses a file that others can read, and says how to mend it: by then its secrets should be exchanged, too. */
export function readProfiles(file: string): Profiles {
  let descriptor: number
  try {
    descriptor = openSync(file, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new Failure(exitCodes.notPermitted, `The file ${file} cannot be read.`, 'Is it yours? Look with ls -l.')
  }
  try {
    // Of the file that is open, so that it cannot be another one by the time it is read.
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
      `Others can read ${file}, which holds secrets.`,
      `Run: chmod 600 ${quoted(file)}   (and exchange the secrets if the machine has other users)`,
    )
}

function parse(file: string, text: string): Profiles {
  try {
    const { profiles } = JSON.parse(text) as { profiles?: unknown }
    if (typeof profiles === 'object' && profiles !== null) return profiles as Profiles
  } catch {}
  throw new Failure(
    exitCodes.notPermitted,
    `The file ${file} is not one that this program has written.`,
    `Run: rm ${quoted(file)} && investor-token login`,
  )
}

/** The new file takes the place of the old one in one step: whoever is killed half-way leaves one of the two. */
export function writeProfiles(file: string, profiles: Profiles): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}.new`
  try {
    writeFileSync(draft, `${JSON.stringify({ profiles }, undefined, 2)}\n`, { mode: 0o600, flag: 'wx' })
    // The mode above is less what the umask takes away; this is exact.
    chmodSync(draft, 0o600)
    renameSync(draft, file)
  } finally {
    rmSync(draft, { force: true })
  }
}

function quoted(file: string): string {
  return /^[\w./-]+$/.test(file) ? file : `'${file.replaceAll("'", `'\\''`)}'`
}
