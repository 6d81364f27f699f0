import { AsyncLocalStorage } from 'node:async_hooks'
import { resolve } from 'node:path'
import type { Readable, Writable } from 'node:stream'

/** The parts of its process that a command uses. */
export interface Host {
  readonly variables: Readonly<Record<string, string | undefined>>
  /** Folder in which relative paths start. */
  readonly folder: string
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Writable & { readonly isTTY?: boolean }
  readonly stderr: Writable & { readonly isTTY?: boolean }
}

const hosts = new AsyncLocalStorage<Host>()

const ofProcess: Host = {
  variables: process.env,
  get folder() {
    return process.cwd()
  },
  // Opened on first use: a command that opens stdin could wait for it.
  get stdin() {
    return process.stdin
  },
  get stdout() {
    return process.stdout
  },
  get stderr() {
    return process.stderr
  },
}

/** Returns the process, or the host of `onHost`. Rejected: a parameter, which almost every function would pass on. */
export function host(): Host {
  return hosts.getStore() ?? ofProcess
}

/** Runs a command inside a program that runs several at the same time, each with its own input and output. */
export function onHost<Result>(its: Host, run: () => Promise<Result>): Promise<Result> {
  return hosts.run(its, run)
}

/** Resolves the path of a file that the user named. */
export function pathOf(file: string): string {
  return resolve(host().folder, file)
}
