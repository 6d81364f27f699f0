import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { installCells } from '../installation/cells.ts'
import { asOwner, ownerRows } from '../installation/database.ts'
import { type MaintainResult, maintainResult, type RunningProcess, startMaintain } from '../installation/process.ts'
import type { TestInstallation } from '../installation/test-installation.ts'
import { until } from '../wait.ts'
import { createCluster } from './cluster.ts'

/** Server settings that a move needs, or that make it quick. The server of other tests may lack logical replication. */
export const moveSettings = {
  wal_level: 'logical',
  max_wal_senders: '20',
  max_replication_slots: '20',
  max_worker_processes: '20',
  max_logical_replication_workers: '12',
  max_sync_workers_per_subscription: '4',
  wal_retrieve_retry_interval: '200ms',
  max_connections: '200',
  fsync: 'off',
}

/**
 * An installation with three cells as databases of one server: main, which is also the directory, east and west. East
 * may be elsewhere.
 */
export class MoveWorld {
  readonly installation: TestInstallation
  readonly urls: ReadonlyMap<string, string>
  readonly #remove: () => Promise<void>

  private constructor(installation: TestInstallation, urls: ReadonlyMap<string, string>, remove: () => Promise<void>) {
    this.installation = installation
    this.urls = urls
    this.#remove = remove
  }

  static async create({ east, ...changed }: Record<string, string> = {}): Promise<MoveWorld> {
    const { server, remove } = await createCluster(moveSettings)
    const urls = new Map(['main', 'east', 'west'].map((name) => [name, server.url.replace(/postgres$/, name)]))
    await asOwner(server.url, async (client) => {
      for (const name of urls.keys()) await client.query(`create database ${name}`)
    })
    if (east !== undefined) urls.set('east', east)
    return new MoveWorld(await installCells(urls, changed), urls, remove)
  }

  urlOf(cell: string): string {
    return this.urls.get(cell) ?? ''
  }

  /** Runs a maintenance command to its end. With `killAt` it is killed at that point of a move. */
  async maintain(args: string[], { killAt, ...changed }: Record<string, string> = {}): Promise<MaintainResult> {
    return maintainResult(this.#start(args, killAt === undefined ? changed : { KILL_AT: killAt, ...changed }))
  }

  /** Runs a maintenance command that must succeed. Returns what it printed. */
  async maintained(args: string[], changed: Record<string, string> = {}): Promise<MaintainResult['printed']> {
    const { code, output, printed } = await this.maintain(args, changed)
    assert.equal(code, 0, output)
    return printed
  }

  /** Runs a maintenance command that stops at a point of a move, and continues after the work. */
  async maintainAround(args: string[], stopAt: string, work: () => Promise<void>): Promise<MaintainResult> {
    const command = this.#start(args, { STOP_AT: stopAt })
    try {
      await until(`the command stops at the point ${stopAt}`, () => isStopped(command), 120_000)
      await work()
    } finally {
      command.signal('SIGCONT')
    }
    return maintainResult(command)
  }

  #start(args: string[], changed: Record<string, string>): RunningProcess {
    const stops = 'KILL_AT' in changed || 'STOP_AT' in changed
    const preload = stops ? ['./test/harness/faults/kill-at.ts'] : []
    return startMaintain(['--json', ...args], { ...this.installation.settings, ...changed }, preload)
  }

  async rows<Row>(cell: string, query: string, values: unknown[] = []): Promise<Row[]> {
    const rows = await ownerRows(this.urlOf(cell), query, values)
    return rows as Row[]
  }

  async end(): Promise<void> {
    await this.installation.end()
    await this.removeServer()
  }

  /** Removes the server after the installation has ended. */
  removeServer(): Promise<void> {
    return this.#remove()
  }
}

/** Returns true if the command has stopped. Throws if it has ended instead. */
function isStopped({ pid, output }: RunningProcess): boolean {
  if (!existsSync(`/proc/${pid}`)) throw new Error(`the command has ended:\n${output.join('\n')}`)
  // The state comes after the name of the program, which is in parentheses.
  return readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') T ')
}
