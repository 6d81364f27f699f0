import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../../../src/platform/base/clock.ts'
import { recheckAccount } from '../../../src/sales/orders/recheck-orders.job.ts'
import { PacedChain } from '../chain/paced-chain.ts'
import { TestInstallation } from '../installation/test-installation.ts'
import { seededRandom } from '../seeded-random.ts'
import { SettlementWorld } from '../tokens/settlement-world.ts'

export interface ChaosOptions {
  seed: number
  orders: number
  wallets: number
  /** Number of processes to kill, workers and indexers together. */
  kills: number
  /** Number of workers that run at the same time. */
  workers: number
  indexers: number
  blockSeconds: number
  /** Deploys the contracts before the first kill, so that the few kills of a short run hit mints. */
  isDeployedFirst: boolean
  secondsMax: number
}

export interface ChaosResult {
  kills: number
  freezes: number
  mempoolDrops: number
  reorgs: number
  seconds: number
  orders: number
  minted: number
  mintedTwice: number
  lost: number
  alarms: number
  problems: string[]
}

/**
 * Kills workers and indexers at random while the node freezes, loses its mempool and reorganizes its blocks, until the
 * requested number of processes was killed and all orders are minted. The seed determines the sequence of faults, but
 * not the instruction at which a process dies.
 */
export async function runChaos(options: ChaosOptions, report: (line: string) => void): Promise<ChaosResult> {
  const installation = await TestInstallation.create({ DATABASE_POOL_MAX: '12', BUMP_SECONDS: '3' })
  const chain = await PacedChain.start({ blockSeconds: options.blockSeconds })
  let world: SettlementWorld | undefined
  try {
    world = await SettlementWorld.create(installation, chain)
    if (options.isDeployedFirst) await mintOneOrder(world)
    report(`Creating ${options.orders} orders of ${options.wallets} wallets …`)
    await createReadyOrders(world, options)
    report('Settling while processes are killed …')
    const chaos = new Chaos(world, options)
    await chaos.run(report)
    return { ...chaos.counts, ...(await judge(world, options.orders)), seconds: chaos.seconds() }
  } finally {
    chain.unfreeze()
    await world?.end()
    await installation.end()
    await chain.stop()
  }
}

class Chaos {
  readonly counts = { kills: 0, freezes: 0, mempoolDrops: 0, reorgs: 0 }
  readonly #world: SettlementWorld
  readonly #options: ChaosOptions
  readonly #random: () => number
  readonly #startedAt = performance.now()
  #isDone = false

  constructor(world: SettlementWorld, options: ChaosOptions) {
    this.#world = world
    this.#options = options
    this.#random = seededRandom(options.seed)
  }

  seconds(): number {
    return (performance.now() - this.#startedAt) / 1000
  }

  async run(report: (line: string) => void): Promise<void> {
    const { workers, indexers } = this.#options
    await Promise.all([
      ...Array.from({ length: workers }, () => this.#keepKilling('worker')),
      ...Array.from({ length: indexers }, () => this.#keepKilling('indexer')),
      this.#disturbNode(),
      this.#watchProgress(report),
    ])
  }

  get #isRunning(): boolean {
    return !this.#isDone && this.seconds() < this.#options.secondsMax
  }

  get #hasKilledEnough(): boolean {
    return this.counts.kills >= this.#options.kills
  }

  async #keepKilling(main: 'worker' | 'indexer'): Promise<void> {
    while (this.#isRunning) {
      const process = await this.#world.installation.startWithoutWaiting(main, this.#world.settings)
      // Kills the process while it works, not while it starts.
      await process.logged(main === 'indexer' ? 'listening' : 'working on the queue')
      await sleep(this.#random() * 3_000)
      // After the last kill, the remaining processes finish the work.
      while (this.#hasKilledEnough && this.#isRunning) await sleep(200)
      await process.kill()
      if (!this.#isDone) this.counts.kills += 1
    }
  }

  async #disturbNode(): Promise<void> {
    const { chain } = this.#world
    while (this.#isRunning) {
      await sleep(1_000 + this.#random() * 3_000)
      if (this.#hasKilledEnough) continue
      const dice = this.#random()
      if (dice < 0.3) {
        chain.freeze()
        await sleep(1_000 + this.#random() * 2_500)
        chain.unfreeze()
        this.counts.freezes += 1
      } else if (dice < 0.6) {
        await chain.rpc('anvil_dropAllTransactions').catch(() => undefined)
        this.counts.mempoolDrops += 1
      } else {
        await chain.reorg(1 + Math.floor(this.#random() * 3)).catch(() => undefined)
        this.counts.reorgs += 1
      }
    }
  }

  async #watchProgress(report: (line: string) => void): Promise<void> {
    for (let checks = 1; this.#isRunning; checks += 1) {
      await sleep(1_000)
      const { MINTED = 0 } = await this.#world.statuses()
      this.#isDone = MINTED === this.#options.orders && this.#hasKilledEnough
      if (checks % 5 === 0)
        report(`  ${Math.round(this.seconds())} s: ${this.counts.kills} kills, ${MINTED} orders minted`)
    }
  }
}

async function mintOneOrder(world: SettlementWorld): Promise<void> {
  await world.readyOrders(await world.investor(), 1)
  await world.settle()
}

async function createReadyOrders(world: SettlementWorld, options: ChaosOptions): Promise<void> {
  const orders = options.isDeployedFirst ? options.orders - 1 : options.orders
  const ordersPerWallet = Math.ceil(orders / options.wallets)
  for (let created = 0; created < orders; created += ordersPerWallet) {
    const accountId = await world.investor()
    await world.paidOrders(accountId, Math.min(ordersPerWallet, orders - created))
    const payload = { tenant_id: world.tenantId, account_id: accountId }
    await recheckAccount.run(payload, { ...world.direct.databases, clock: systemClock })
  }
}

async function judge(world: SettlementWorld, orders: number) {
  const problems: string[] = []
  const { MINTED = 0, ...others } = await world.statuses()
  if (Object.keys(others).length > 0) problems.push(`orders that are not minted: ${JSON.stringify(others)}`)
  await world.index().catch(() => undefined)
  await world.assertExact(orders).catch((error: Error) => problems.push(error.message))
  const alarms = (await world.ops()).filter(({ state }) => state === 'ALARM').length
  if (alarms > 0) problems.push(`${alarms} chain ops in ALARM`)
  return {
    orders,
    minted: MINTED,
    mintedTwice: await world.countMintedTwice(),
    lost: orders - MINTED,
    alarms,
    problems,
  }
}
