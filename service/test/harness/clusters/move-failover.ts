import type { Tally } from '../faults/exactly-once.ts'
import { KeyedWriters } from '../faults/keyed-writers.ts'
import type { MaintainResult } from '../installation/process.ts'
import { acknowledges, judgeWriters } from './move-drill.ts'
import { MoveWorld, moveSettings } from './move-world.ts'
import { ReplicatedPostgres } from './replicated-postgres.ts'

/**
 * A tenant that clients write to, and that moves between west and east, a cell whose standby takes over again and
 * again. A promoted standby lacks the replication slots of the former primary.
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

  /** Creates the tenant in east, and starts its clients. */
  static async create(random: () => number): Promise<MoveFailover> {
    const lines = Object.entries(moveSettings).map(([name, value]) => `${name} = ${value}\n`)
    const pair = await ReplicatedPostgres.create(lines.join(''))
    try {
      const world = await MoveWorld.create({
        east: pair.url,
        // Uses the timeouts of production, because the time of a failover depends on them. Other tests use longer ones.
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

  /** Runs the command up to a point, does the work, and lets the command continue. */
  moveAround(to: string, stopAt: string, work: () => Promise<void>): Promise<MaintainResult> {
    return this.world.maintainAround(['move-tenant', '--tenant', this.writers.tenantId, '--to', to], stopAt, work)
  }

  /** Kills the primary of east, and lets its standby take over. Clients write before and after. */
  async failOver(): Promise<void> {
    await acknowledges(this.writers, 10)
    await this.#pair.killPrimary()
    await this.#takeOver()
  }

  /**
   * Fails over to a standby that was not connected, so that the lost primary has applied changes of the tenant that its
   * standby never got. Commits that wait for the standby are not acknowledged, so replication must not acknowledge them
   * either.
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
