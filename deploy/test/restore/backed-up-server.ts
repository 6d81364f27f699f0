import { execFile, execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { appendFile, chown, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { asOwner } from '../../../service/test/harness/installation/database.ts'
import { freePort } from '../../../service/test/harness/installation/process.ts'
import { snippetsOf } from '../../../service/test/harness/snippets.ts'
import { until } from '../../../service/test/harness/wait.ts'
import { missingProgram } from '../missing-program.ts'

// The drill uses the settings of the page, with other folders and ports.
const [documentedPostgres = '', pgBackRestSettings = ''] = snippetsOf('docs/operations/backup-and-restore.md', 'ini')
const stanzaAt = pgBackRestSettings.indexOf('[cell]')
const [documentedRepository, documentedStanza] = [
  pgBackRestSettings.slice(0, stanzaAt),
  pgBackRestSettings.slice(stanzaAt),
]

const binaries = globSync('/usr/lib/postgresql/*/bin/initdb').toSorted().at(-1)

/** Reason why the drill cannot run here; false if it can. */
export const restoreIsImpossible: string | false =
  missingProgram('pgbackrest') || (binaries === undefined && 'PostgreSQL is not installed with initdb')

// PostgreSQL refuses to run as root. If it is not installed, there is no such user.
const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres']).toString())
const user = process.getuid?.() === 0 && binaries ? { uid: idOf('-u'), gid: idOf('-g') } : {}
const run = promisify(execFile)

/** A PostgreSQL server whose write-ahead log goes to a repository of pgBackRest. */
export class BackedUpServer {
  readonly name: string
  readonly port: number
  readonly #folder: string

  private constructor(name: string, port: number, folder: string) {
    this.name = name
    this.port = port
    this.#folder = folder
  }

  /** Creates a server. The folder must belong to the user of the server; servers in it share a repository. */
  static async create(name: string, folder: string): Promise<BackedUpServer> {
    const server = new BackedUpServer(name, await freePort(), folder)
    const data = join(folder, name)
    await mkdir(data)
    await own(data)
    await server.#run('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'])
    const documented = documentedPostgres
      .replace('/etc/pgbackrest.conf', join(folder, 'pgbackrest.conf'))
      .replace('--stanza=cell', `--stanza=${name}`)
    const network = `listen_addresses = '127.0.0.1'\nport = ${server.port}\nunix_socket_directories = '${folder}'\n`
    await appendFile(join(data, 'postgresql.conf'), `${documented}\n${network}`)
    const stanza = documentedStanza
      .replace('[cell]', `[${name}]`)
      .replace('/var/lib/postgresql/15/cell', data)
      .replace('5432', String(server.port))
      .replace('/var/run/postgresql', folder)
    await appendFile(join(folder, 'pgbackrest.conf'), `${stanza}\n`)
    await own(join(folder, 'pgbackrest.conf'))
    await server.start()
    return server
  }

  /** Writes the settings of the repository, before the first server starts. */
  static async configure(folder: string): Promise<void> {
    const paths = ['repo', 'log', 'lock', 'spool'].map((name) => join(folder, name))
    for (const path of paths) {
      await mkdir(path)
      await own(path)
    }
    await own(folder)
    const settings = documentedRepository.replaceAll('/var/lib/pgbackrest', folder)
    await appendFile(join(folder, 'pgbackrest.conf'), `${settings}\n`)
  }

  url(login: string, database: string): string {
    return `postgres://${login}@127.0.0.1:${this.port}/${database}`
  }

  async start(): Promise<void> {
    const log = join(this.#folder, `${this.name}.log`)
    await this.#run('pg_ctl', ['-D', join(this.#folder, this.name), '-l', log, '-w', '-t', '60', 'start'])
  }

  /** Stops like a machine that fails. */
  async crash(): Promise<void> {
    await this.#run('pg_ctl', ['-D', join(this.#folder, this.name), '-m', 'immediate', 'stop']).catch(() => undefined)
  }

  async backUp(): Promise<void> {
    await this.#pgBackRest('stanza-create')
    await this.#pgBackRest('backup', '--type=full')
  }

  /** Does what archive_timeout does after 30 seconds: everything until now is in the repository. */
  async archive(): Promise<void> {
    await asOwner(this.url('postgres', 'postgres'), async (client) => {
      const { rows } = await client.query('select pg_walfile_name(pg_switch_wal()) as name')
      await until('the log is archived', async () => {
        const archived = await client.query(
          `select last_archived_wal >= $1 as "isDone" from pg_stat_archiver where last_archived_wal !~ 'backup'`,
          [rows[0].name],
        )
        return archived.rows[0]?.isDone === true
      })
    })
  }

  /** Restores to a moment and starts. The server accepts connections once it has replayed the log until then. */
  async restoreTo(moment: string): Promise<void> {
    await this.#pgBackRest(
      'restore',
      '--delta',
      '--type=time',
      `--target=${moment}`,
      '--target-action=promote',
      '--target-timeline=current',
    )
    await this.start()
    await until('the server is promoted', async () =>
      asOwner(this.url('postgres', 'postgres'), async (client) => {
        const { rows } = await client.query('select pg_is_in_recovery() as "isReplaying"')
        return rows[0].isReplaying === false
      }).catch(() => false),
    )
  }

  async #pgBackRest(...args: string[]): Promise<void> {
    await run('pgbackrest', [`--config=${this.#folder}/pgbackrest.conf`, `--stanza=${this.name}`, ...args], {
      ...user,
      cwd: '/',
    })
  }

  async #run(tool: string, args: string[]): Promise<void> {
    // Detached from our output, which the server started by pg_ctl would keep open.
    await run(join(dirname(binaries ?? ''), tool), args, { ...user, cwd: '/' })
  }
}

async function own(path: string): Promise<void> {
  if (user.uid !== undefined && user.gid !== undefined) await chown(path, user.uid, user.gid)
}
