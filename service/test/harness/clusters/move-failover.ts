import type { Tally } from '../faults/exactly-once.ts'
import { KeyedWriters } from '../faults/keyed-writers.ts'
import { acknowledges, judgeWriters } from './move-drill.ts'
import { type MaintainResult, MoveWorld, moveSettings } from './move-world.ts'
import { ReplicatedPostgres } from './replicated-postgres.ts'

/**
 * A tenant that clients write to and that moves between west and east, a cell with a standby that takes over again and
 * again. A standby that is promoted does not have the replication slots of the former primary.
 */
export class MoveFailover {
  readonly world: MoveWorld
  readonly writers: KeyedWriters
  readonly #pair: ReplicatedPostgres

  private constructor(world: MoveWorld, pair: ReplicatedPostgres, writers: KeyedWriters) {
    this.world = world
    this.#pair = pair
    this.writers = writers
  }

  /** The tenant is in east, and its clients write. */
  static async create(random: () => number): Promise<MoveFailover> {
    const lines = Object.entries(moveSettings).map(([name, value]) => `${name} = ${value}\n`)
    const pair = await ReplicatedPostgres.create(lines.join(''))
    try {
      const world = await MoveWorld.create({
        east: pair.url,
        // As in production, unlike in other tests: the time of a failover depends on them.
        DATABASE_CONNECT_TIMEOUT_SECONDS: '2',
        DATABASE_LOCK_TIMEOUT_SECONDS: '5',
      })
      const writers = await KeyedWriters.create(world.installation, random, {
        cell: 'east',
        clients: 2,
        pauseMsMax: 120,
      })
      const api = await world.installation.startApiProcess()
      await world.installation.startWorkerProcess()
      writers.setTargets([api.baseUrl])
      await writers.start()
      return new MoveFailover(world, pair, writers)
    } catch (error) {
      await pair.remove()
      throw error
    }
  }

  move(...args: string[]): Promise<MaintainResult> {
    return this.world.maintain(['move-tenant', '--tenant', this.writers.tenantId, ...args])
  }

  finish(): Promise<MaintainResult> {
    return this.world.maintain(['finish-move', '--tenant', this.writers.tenantId])
  }

  /** The command stops at a point, the work happens, and the command continues. */
  moveAround(to: string, stopAt: string, work: () => Promise<void>): Promise<MaintainResult> {
    return this.world.maintainAround(['move-tenant', '--tenant', this.writers.tenantId, '--to', to], stopAt, work)
  }

  /** The primary of east is killed, and its standby takes over. Clients write before and after. */
  async failOver(): Promise<void> {
    await acknowledges(this.writers, 10)
    await this.#pair.killPrimary()
    await this.#takeOver()
  }

  /**
   * The same, but the primary that is lost has applied changes of the tenant that its standby never got: it was not
   * connected. Commits that wait for it are not acknowledged; replication must not acknowledge them either.
   */
  async failOverToStandbyBehind(): Promise<void> {
    await this.#pair.stopStandby()
    await acknowledges(this.writers, 20)
    await this.#pair.killPrimary()
    await this.#pair.startStandby()
    await this.#takeOver()
  }

  async #takeOver(): Promise<void> {
    await this.#pair.promote()
    this.#pair.forwarder.turnTo(this.#pair.primaryPort)
    await this.#pair.rebuildStandby()
    await acknowledges(this.writers, 10)
  }

  judge(cell: string): Promise<Tally> {
    return judgeWriters(this.world, this.writers, cell)
  }

  async end(): Promise<void> {
    this.writers.abort()
    await this.world.end()
    await this.#pair.remove()
  }
}
