import { setTimeout as sleep } from 'node:timers/promises'
import { PacedChain } from '../chain/paced-chain.ts'
import type { TestInstallation } from '../installation/test-installation.ts'
import { SettlementWorld } from '../tokens/settlement-world.ts'
import { until } from '../wait.ts'

export interface MintTally {
  readonly minted: number
  readonly lost: number
  readonly doubled: number
  readonly problems: readonly string[]
}

/** A tenant of a cell whose orders are minted on a real chain all the time, by the worker and indexer of a drill. */
export class MintingFeed {
  readonly #world: SettlementWorld
  readonly #chain: PacedChain
  readonly #accountId: string
  #isStopped = false
  #feeding: Promise<void> | undefined

  private constructor(world: SettlementWorld, chain: PacedChain, accountId: string) {
    this.#world = world
    this.#chain = chain
    this.#accountId = accountId
  }

  static async create(installation: TestInstallation, cell: string): Promise<MintingFeed> {
    const chain = await PacedChain.start({ blockSeconds: 1 })
    try {
      const world = await SettlementWorld.create(installation, chain, { cell })
      return new MintingFeed(world, chain, await world.investor())
    } catch (error) {
      await chain.stop()
      throw error
    }
  }

  get tenantId(): string {
    return this.#world.tenantId
  }

  /** Sets the database of the tenant's cell, after the tenant has moved. */
  set url(url: string) {
    this.#world.url = url
  }

  /** Waits until this many more orders are minted. */
  async mints(count: number): Promise<void> {
    const minted = async () => (await this.#world.statuses())['MINTED'] ?? 0
    const wanted = (await minted()) + count
    await until(`${count} orders are minted`, async () => (await minted()) >= wanted, 180_000)
  }

  /** Settings for the worker and the indexer. */
  get settings(): Record<string, string> {
    return { ...this.#world.settings, BUMP_SECONDS: '3' }
  }

  /** Makes orders ready, one after the other. If one fails because the database is away, a new order follows. */
  start(): void {
    this.#feeding = (async () => {
      while (!this.#isStopped) {
        await this.#world.readyOrders(this.#accountId, 1).catch(() => undefined)
        await sleep(300)
      }
    })()
  }

  /** Waits until every paid order is minted, and compares ledger and chain. */
  async finish(): Promise<MintTally> {
    this.#isStopped = true
    await this.#feeding
    const problems: string[] = []
    const open = async () => {
      const { MINTED: _minted, ORDERED: _ordered, ...others } = await this.#world.statuses()
      return Object.values(others).reduce((sum, count) => sum + count, 0)
    }
    await until('all paid orders are minted', async () => (await open()) === 0, 180_000).catch((error: Error) =>
      problems.push(error.message),
    )
    const { MINTED: minted = 0 } = await this.#world.statuses()
    await this.#world.assertExact(minted).catch((error: Error) => problems.push(error.message))
    return { minted, lost: await open(), doubled: await this.#world.countMintedTwice(), problems }
  }

  async end(): Promise<void> {
    this.#isStopped = true
    await this.#feeding
    await this.#world.end()
    await this.#chain.stop()
  }
}
