import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyDatabase, ownerRows, redisUrl } from '../installation/database.ts'
import { runMaintain } from '../installation/process.ts'
import { TestInstallation } from '../installation/test-installation.ts'

/** An installation as it was at a moment, next to the one that continued. */
export class RestoredInstallation {
  readonly installation: TestInstallation
  /** The moment, to the microsecond. */
  readonly to: string
  readonly #folder: string
  readonly #settings: Record<string, string>

  private constructor(installation: TestInstallation, to: string, settings: Record<string, string>) {
    this.installation = installation
    this.to = to
    this.#settings = settings
    this.#folder = mkdtempSync(join(tmpdir(), 'investor-token-restored-'))
  }

  /** Copies the database while nothing is written to it. */
  static async of(from: TestInstallation, settings: Record<string, string> = {}): Promise<RestoredInstallation> {
    const { databaseUrl: url } = from.config
    const backup = await copyDatabase(url)
    const rows = await ownerRows(url, 'select clock_timestamp()::text as now')
    const restored = new TestInstallation({ DATABASE_URL: backup.url, REDIS_URL: redisUrl }, { own: backup })
    return new RestoredInstallation(restored, rows[0].now, settings)
  }

  /** Writes these lines to a file, and returns its path. */
  file(name: string, lines: readonly string[] = []): string {
    const path = join(this.#folder, name)
    writeFileSync(path, lines.join('\n'))
    return path
  }

  /** Runs `maintain after-restore` for the one database, and returns its exit code and output. */
  async afterRestore(args: string[] = [], settings: Record<string, string> = {}) {
    // Closes the connections of the test's own process, too.
    await this.closeConnections()
    const own = ['--json', 'after-restore', '--cell', 'main', '--to', this.to]
    const revoked = args.includes('--revoked') ? [] : ['--revoked', this.file('nothing-revoked')]
    return this.maintain([...own, ...revoked, ...args], settings)
  }

  async maintain(args: string[], settings: Record<string, string> = {}) {
    const all = { ...this.installation.settings, ...this.#settings, ...settings }
    const { printed, ...result } = await runMaintain(args, all)
    return { ...result, report: printed[0] as Record<string, string[]> }
  }

  /** Ends all connections to the database except its own, as an operator does on finding a process that still runs. */
  async closeConnections(): Promise<void> {
    await this.installation.rows(`select pg_terminate_backend(pid, 5000) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and usesysid is not null`)
  }

  async end(): Promise<void> {
    rmSync(this.#folder, { recursive: true, force: true })
    await this.installation.end()
  }
}
