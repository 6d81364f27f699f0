import { connect, ownerRows } from '../installation/database.ts'
import { until } from '../wait.ts'
import type { FailingCluster, FailoverKind } from './failing-cluster.ts'
import { ReplicatedPostgres } from './replicated-postgres.ts'

/** Two servers without a cluster manager: the drill promotes the standby itself, and points the address to it. */
export class PromotedPair implements FailingCluster {
  readonly #pair: ReplicatedPostgres

  private constructor(pair: ReplicatedPostgres) {
    this.#pair = pair
  }

  static async create(): Promise<PromotedPair> {
    return new PromotedPair(await ReplicatedPostgres.create())
  }

  get url(): string {
    return this.#pair.url
  }

  async fail(kind: FailoverKind): Promise<void> {
    if (kind === 'killed') await this.#pair.killPrimary()
    else if (kind === 'planned') await this.#pair.shutDownPrimary()
    else if (kind === 'frozen') return this.#freeze()
    else throw new Error(`a pair without a cluster manager cannot fail like this: ${kind}`)
    await this.#promote()
    await this.#pair.rebuildStandby()
  }

  async #freeze(): Promise<void> {
    const { thaw } = this.#pair.freezePrimary()
    await this.#promote()
    thaw()
    const committed = await writeTo(this.#pair.standbyPort)
    await this.#pair.endOldPrimary()
    if (await committed()) throw new Error('the former primary has acknowledged a write')
    await this.#pair.rebuildStandby()
  }

  async #promote(): Promise<void> {
    await this.#pair.promote()
    this.#pair.forwarder.turnTo(this.#pair.primaryPort)
  }

  remove(): Promise<void> {
    return this.#pair.remove()
  }
}

/**
 * Writes to a former primary. Once thawed, that accepts connections, but no standby acknowledges its commits. The
 * returned function tells whether it acknowledged the write after all.
 */
async function writeTo(port: number): Promise<() => Promise<boolean>> {
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const client = await connect(url)
  const committed = client.query('create table written_to_former_primary ()').then(
    () => true,
    () => false,
  )
  await until('the commit waits for a standby', async () => {
    const waiting = `select from pg_stat_activity where wait_event = 'SyncRep' and query ~ '^create table written_to'`
    return (await ownerRows(url, waiting)).length === 1
  })
  return () => committed
}
