import { Server, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import {
  changedRowsOfOthers,
  isOfSharedInstallation,
  isSharedProgram,
  leftOpenInShared,
} from '../../service/test/harness/installation/end-of-process.ts'
import { root } from './tiers.ts'

const waitMsMax = 5_000
const pollMs = 50

/**
 * Finds what a test file leaves in the process that later files share: environment variables, the working folder, rows
 * of other files' tenants, and handles that keep the process alive: servers, connections, child processes and timers.
 */
export class Leftovers {
  readonly #timers = new OpenTimers()
  #environment = { ...process.env }
  #folder = process.cwd()
  #known = new Set<unknown>(openHandles())

  /** Describes what the last file left. Restores what it can, so that the next file is not to blame. */
  async left(): Promise<string[]> {
    const rows = await changedRowsOfOthers()
    const handles = await this.#handlesLeft()
    const left = [
      ...this.#environmentLeft(),
      ...(process.cwd() === this.#folder ? [] : [`the working folder ${process.cwd()}`]),
      ...rows.map((row) => `a change of another file's tenant in ${row}`),
      ...handles,
    ]
    process.chdir(this.#folder)
    for (const handle of openHandles()) if (!this.#known.has(handle) && describe(handle) !== undefined) release(handle)
    this.#known = new Set(openHandles())
    this.#timers.release()
    return left
  }

  #environmentLeft(): string[] {
    const names = new Set([...Object.keys(this.#environment), ...Object.keys(process.env)])
    const changed = [...names].filter((name) => this.#environment[name] !== process.env[name])
    for (const name of changed) {
      const earlier = this.#environment[name]
      if (earlier === undefined) delete process.env[name]
      else process.env[name] = earlier
    }
    return changed.map((name) => `the environment variable ${name}`)
  }

  /** Waits a moment, because connections take time to close. */
  async #handlesLeft(): Promise<string[]> {
    const endsAt = performance.now() + waitMsMax
    for (;;) {
      const left = [
        ...openHandles()
          .filter((handle) => !this.#known.has(handle))
          .map(describe)
          .filter((what) => what !== undefined),
        ...this.#timers.open(),
        ...leftOpenInShared(),
      ]
      if (left.length === 0 || performance.now() > endsAt) return left
      await sleep(pollMs)
    }
  }
}

/** Undocumented, but the only list of handles except timers; `getActiveResourcesInfo` returns only their kinds. */
function openHandles(): unknown[] {
  return (process as unknown as { _getActiveHandles(): unknown[] })._getActiveHandles()
}

/** Returns undefined for handles that files share, and for the test runner's own. */
function describe(handle: unknown): string | undefined {
  if (handle instanceof Server) {
    const address = handle.address()
    if (typeof address !== 'object' || !address) return undefined
    return isOfSharedInstallation(address.port) ? undefined : `a server at port ${address.port}`
  }
  if (handle instanceof Socket) {
    const { remotePort, localPort } = handle
    if (remotePort === undefined || isOfSharedInstallation(remotePort) || isOfSharedInstallation(localPort ?? 0))
      return undefined
    return `a connection from port ${localPort} to port ${remotePort}`
  }
  const { spawnfile, pid, exitCode } = handle as { spawnfile?: string; pid?: number; exitCode?: number | null }
  if (spawnfile === undefined || isSharedProgram(spawnfile)) return undefined
  return exitCode === null ? `the process ${pid} (${spawnfile})` : undefined
}

/** Lets the process end despite a server, connection or child process. */
function release(handle: unknown): void {
  ;(handle as { unref(): void }).unref()
}

/** Timers that keep the process alive, with the place where they were set. */
class OpenTimers {
  /** The stack becomes text only when it is read: a connection sets a timer for each query. */
  readonly #open = new Map<NodeJS.Timeout, Error>()

  constructor() {
    for (const name of ['setTimeout', 'setInterval'] as const) {
      const original = globalThis[name]
      const watched = (...args: unknown[]) => {
        const timer = (original as (...given: unknown[]) => NodeJS.Timeout)(...args)
        this.#open.set(timer, shortStack())
        return timer
      }
      // `util.promisify` reads symbols of the original.
      Object.defineProperties(watched, Object.getOwnPropertyDescriptors(original))
      Object.assign(globalThis, { [name]: watched })
    }
  }

  open(): string[] {
    const left: string[] = []
    for (const [timer, stack] of this.#open) {
      const isOver = (timer as unknown as { _destroyed: boolean })._destroyed
      if (isOver || !timer.hasRef()) this.#open.delete(timer)
      else {
        const caller = callerIn(stack)
        if (!caller.includes('node_modules')) left.push(`a timer that was set ${caller}`)
      }
    }
    return left
  }

  /** Lets the process end despite these timers. */
  release(): void {
    for (const timer of this.#open.keys()) timer.unref()
    this.#open.clear()
  }
}

function shortStack(): Error {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = framesBefore + 1
  const error = new Error()
  Error.stackTraceLimit = stackTraceLimit
  return error
}

/** Frames of this function and the watched one. */
const framesBefore = 2

function callerIn({ stack = '' }: Error): string {
  const frame = stack.split('\n    ').at(1 + framesBefore) ?? 'at an unknown place'
  return frame.replace(pathToFileURL(root).href, '')
}
