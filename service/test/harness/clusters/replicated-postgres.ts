import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { appendFile, chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { LocalPostgres, unprivileged } from '../../../src/dev/local-postgres.ts'
import { asOwner, ownerRows } from '../installation/database.ts'
import { freePort } from '../installation/process.ts'
import { TcpForwarder } from '../servers/tcp-forwarder.ts'
import { until } from '../wait.ts'

const tool = globSync('/usr/lib/postgresql/*/bin/pg_rewind').toSorted().at(-1)

/** Reason why no standby can be built here; false if one can. The packages from npm lack both tools. */
export const replicationIsImpossible: string | false =
  tool === undefined ? 'PostgreSQL is not installed with pg_basebackup and pg_rewind' : false

/** The programs of the installed server. */
export const binaries = dirname(tool ?? '')
const run = promisify(execFile)

interface Member {
  readonly name: string
  readonly folder: string
  readonly port: number
  server: LocalPostgres
}

/**
 * A primary and a standby behind one address. Replication is synchronous, so a commit is acknowledged only once the
 * standby has it; without a standby, commits wait.
 */
export class ReplicatedPostgres {
  /** The address that follows the primary. */
  readonly url: string
  readonly forwarder: TcpForwarder
  readonly #folder: string
  #primary: Member
  #standby: Member

  private constructor(folder: string, forwarder: TcpForwarder, primary: Member, standby: Member) {
    this.#folder = folder
    this.forwarder = forwarder
    this.#primary = primary
    this.#standby = standby
    this.url = urlAt(forwarder.port)
  }

  /** Creates the pair, with further lines for postgresql.conf. */
  static async create(settings = ''): Promise<ReplicatedPostgres> {
    const folder = await mkdtemp(join(tmpdir(), 'investor-token-replicated-'))
    await chmod(folder, 0o777)
    const primary = await openMember('s1', join(folder, 's1'))
    await primary.server.stop()
    // Written to the file instead of passed as arguments: pg_rewind starts the server with the settings of the file.
    await appendFile(join(primary.folder, 'postgresql.conf'), fileSettings + settings)
    await primary.server.start()
    const copy = { name: 's2', folder: join(folder, 's2') }
    await copyOf(primary, copy)
    const standby = await openMember(copy.name, copy.folder)
    const forwarder = await TcpForwarder.start(primary.port)
    const pair = new ReplicatedPostgres(folder, forwarder, primary, standby)
    await pair.standbyFollows()
    return pair
  }

  get primaryPort(): number {
    return this.#primary.port
  }

  get standbyPort(): number {
    return this.#standby.port
  }

  /** Ends the primary's processes abruptly, as if their machine had died. */
  async killPrimary(): Promise<void> {
    const pids = this.#pidsOf(this.#primary)
    signal(pids, 'SIGSTOP')
    signal(pids, 'SIGKILL')
    await this.#primary.server.kill()
  }

  /** Stops the standby. The primary continues alone, but acknowledges no commit until the standby starts. */
  async stopStandby(): Promise<void> {
    await this.#standby.server.stop()
  }

  /** Starts the standby. Without its primary it has the data from when it stopped. */
  async startStandby(): Promise<void> {
    await this.#standby.server.start()
  }

  /** Shuts down the primary, which ends once the standby has everything. */
  async shutDownPrimary(): Promise<void> {
    await this.#primary.server.stop()
  }

  /** Freezes the primary until `thaw`. No connection to it breaks. */
  freezePrimary(): { thaw: () => void } {
    const pids = this.#pidsOf(this.#primary)
    signal(pids, 'SIGSTOP')
    return { thaw: () => signal(pids, 'SIGCONT') }
  }

  /** Promotes the standby. The caller turns the forwarder, and makes the old primary the standby. */
  async promote(): Promise<void> {
    await asOwner(this.#standby.server.url, async (client) => {
      await client.query('select pg_promote(true, 60)')
    })
    ;[this.#primary, this.#standby] = [this.#standby, this.#primary]
  }

  /** Makes the old primary the standby of the new one. It must have ended. */
  async rebuildStandby(): Promise<void> {
    const standby = this.#standby
    // Until this checkpoint, the new primary's control file shows the old timeline: pg_rewind finds no difference.
    await ownerRows(this.#primary.server.url, 'checkpoint')
    const source = sourceOf(this.#primary, standby)
    const flags = ['-D', standby.folder, '--no-sync', '--write-recovery-conf', '--source-server', source]
    await run(join(binaries, 'pg_rewind'), flags, { ...unprivileged, cwd: '/' }).catch(async () => {
      await rm(standby.folder, { recursive: true })
      await copyOf(this.#primary, standby)
    })
    await standby.server.start()
    await this.standbyFollows()
  }

  /** Ends a frozen primary that thawed, as a cluster manager does once it notices. */
  async endOldPrimary(): Promise<void> {
    signal(this.#pidsOf(this.#standby), 'SIGKILL')
    await this.#standby.server.kill()
  }

  /** Waits until the standby acknowledges commits of the primary. */
  async standbyFollows(): Promise<void> {
    await until('the standby follows', () =>
      asOwner(this.#primary.server.url, async (client) => {
        const { rows } = await client.query(
          `select from pg_stat_replication where state = 'streaming' and sync_state = 'quorum'`,
        )
        return rows.length > 0
      }),
    )
  }

  async remove(): Promise<void> {
    await this.forwarder.stop()
    for (const { server } of [this.#primary, this.#standby]) await server.kill()
    await rm(this.#folder, { recursive: true, force: true })
  }

  /** Returns the pids of the postmaster and its children. */
  #pidsOf({ folder }: Member): number[] {
    const postmaster = Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0])
    const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')
    return [postmaster, ...children.trim().split(' ').filter(Boolean).map(Number)]
  }
}

// fsync is off because no machine loses power here: a killed process loses nothing that the kernel has. Without jit,
// pg_rewind lists the files of the new primary a second sooner.
const fileSettings = `
synchronous_standby_names = 'ANY 1 (s1, s2)'
wal_log_hints = on
wal_keep_size = 32MB
min_wal_size = 32MB
max_wal_size = 64MB
max_connections = 60
max_wal_senders = 6
fsync = off
jit = off
wal_receiver_timeout = 5s
wal_sender_timeout = 5s
wal_retrieve_retry_interval = 200ms
`

const urlAt = (port: number) => `postgres://postgres@127.0.0.1:${port}/postgres`

const sourceOf = (primary: Member, standby: Pick<Member, 'name'>) =>
  `host=127.0.0.1 port=${primary.port} user=postgres dbname=postgres application_name=${standby.name}`

async function openMember(name: string, folder: string): Promise<Member> {
  const port = await freePort()
  return { name, folder, port, server: await LocalPostgres.open(folder, { binaries, port }) }
}

/** Makes an exact copy of the primary that follows it once it is started. */
async function copyOf(primary: Member, standby: Pick<Member, 'name' | 'folder'>): Promise<void> {
  const source = sourceOf(primary, standby)
  const flags = ['-D', standby.folder, '-R', '-X', 'stream', '-c', 'fast', '--no-sync', '-d', source]
  await run(join(binaries, 'pg_basebackup'), flags, { ...unprivileged, cwd: '/' })
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, name)
    } catch {
      // The process has ended meanwhile.
    }
}
