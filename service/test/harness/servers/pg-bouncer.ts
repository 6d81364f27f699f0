import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { unprivileged } from '../../../src/dev/local-postgres.ts'
import { freePort } from '../installation/process.ts'

const [program] = process.env['TEST_PGBOUNCER']
  ? [process.env['TEST_PGBOUNCER']]
  : globSync(['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/opt/homebrew/bin/pgbouncer'])

/** Reason to skip tests with a pooler, or false. In CI they always run, so that they fail without PgBouncer. */
export const pgBouncerIsMissing =
  program === undefined && !process.env['CI']
    ? 'PgBouncer is not installed: on Debian it is the package pgbouncer'
    : false

/** Reason to skip tests of transaction mode, in which versions before 1.21 have no prepared statements. */
export const pgBouncerIsTooOld = pgBouncerIsMissing || (isBefore121() && `${program} is older than 1.21`)

function isBefore121(): boolean {
  if (program === undefined) return false
  const [, major, minor] =
    /PgBouncer (\d+)\.(\d+)/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' })) ?? []
  return Number(major) * 1_000 + Number(minor) < 1_021
}

interface Pooling {
  readonly mode: 'session' | 'transaction'
  /** Statement for each new connection to the database. */
  readonly connectQuery?: string
  /** Statement for a connection that a client leaves; by default PgBouncer resets everything, in session mode only. */
  readonly resetQuery?: string
  readonly settings?: Readonly<Record<string, string | number>>
}

/** A PgBouncer in front of one database. It ignores the startup options of its clients, as is common. */
export class PgBouncer {
  readonly url: string
  readonly #process: ChildProcess
  readonly #folder: string

  private constructor(url: string, process: ChildProcess, folder: string) {
    this.url = url
    this.#process = process
    this.#folder = folder
  }

  static async start(
    databaseUrl: string,
    { mode, connectQuery, resetQuery, settings: others = {} }: Pooling,
  ): Promise<PgBouncer> {
    if (program === undefined) throw new Error('PgBouncer is not installed: on Debian it is the package pgbouncer')
    const { hostname, port, pathname, username, password } = new URL(databaseUrl)
    const target = {
      host: hostname,
      port: port || '5432',
      dbname: pathname.slice(1),
      user: decodeURIComponent(username),
      ...(password ? { password: decodeURIComponent(password) } : {}),
      ...(connectQuery ? { connect_query: connectQuery } : {}),
    }
    const settings = Object.entries(target).map(([name, value]) => `${name}='${value.replaceAll("'", "''")}'`)
    const folder = await mkdtemp(join(tmpdir(), 'investor-token-pooler-'))
    const file = join(folder, 'pgbouncer.ini')
    const listenPort = await freePort()
    await writeFile(
      file,
      `[databases]
pooled = ${settings.join(' ')}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
ignore_startup_parameters = options
${resetQuery === undefined ? '' : `server_reset_query = ${resetQuery}`}
${Object.entries(others)
  .map(([name, value]) => `${name} = ${value}`)
  .join('\n')}
`,
    )
    await chmod(folder, 0o755)
    const child = spawn(program, [file], { ...unprivileged, stdio: ['ignore', 'ignore', 'pipe'] })
    const lines: string[] = []
    await new Promise<void>((resolve, reject) => {
      child.once('exit', () => reject(new Error(`PgBouncer did not start:\n${lines.join('\n')}`)))
      createInterface(child.stderr).on('line', (line) => {
        lines.push(line)
        if (line.includes('process up')) resolve()
      })
    })
    return new PgBouncer(`postgres://pooled@127.0.0.1:${listenPort}/pooled`, child, folder)
  }

  async stop(): Promise<void> {
    const exited = once(this.#process, 'exit')
    this.#process.kill('SIGKILL')
    await exited
    await rm(this.#folder, { recursive: true, force: true })
  }
}
