import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../../src/platform/base/clock.ts'
import { checkMintPreconditions } from '../../src/sales/orders/check-mint-preconditions.job.ts'
import { PacedChain } from './paced-chain.ts'
import { seededRandom } from './seeded-random.ts'
import { TestInstallation } from './service.ts'
import { SettlementWorld } from './settlement-world.ts'

export interface Chaos {
  seed: number
  orders: number
  kills: number
  secondsMax: number
}

export interface ChaosResult {
  kills: number
  freezes: number
  drops: number
  reorganisations: number
  seconds: number
  orders: number
  minted: number
  doubled: number
  lost: number
  alarms: number
  problems: string[]
}

const submitters = 4
const indexers = 2
const wallets = 20

/**
 * Submitters and indexers die at random while the node freezes, forgets its mempool and reorganises, until so many
 * were killed and everything is minted. The seed decides what happens; in which instruction, the machine.
 */
export async function chaosRun(wanted: Chaos, say: (line: string) => void): Promise<ChaosResult> {
  const random = seededRandom(wanted.seed)
  const installation = await TestInstallation.create({ DATABASE_POOL_MAX: '4', BUMP_SECONDS: '3' })
  const chain = await PacedChain.start({ blockSeconds: 1 })
  const startedAt = performance.now()
  const tally = { kills: 0, freezes: 0, drops: 0, reorganisations: 0 }
  try {
    const world = await SettlementWorld.create(installation, chain)
    say(`Making ${wanted.orders} orders of ${wallets} wallets …`)
    await manyReadyOrders(world, wanted.orders)
    say('Settling while processes die …')
    const isOver = () => (performance.now() - startedAt) / 1000 > wanted.secondsMax
    let isDone = false
    const progress = async () => {
      const { MINTED = 0 } = await world.statuses()
      isDone = MINTED === wanted.orders && tally.kills >= wanted.kills
      return MINTED
    }
    const keepKilling = async (main: 'worker' | 'indexer') => {
      while (!isDone && !isOver()) {
        const victim = await installation.startSettler(main, world.settings)
        // It dies somewhere in its work, not in its start.
        await victim.logged(main === 'indexer' ? 'listening' : 'working on the queue')
        await sleep(random() * 3_000)
        if (tally.kills >= wanted.kills && !isDone) {
          // Enough have died: this one may finish the work.
          while (!isDone && !isOver()) await sleep(200)
        }
        await victim.kill()
        if (!isDone) tally.kills += 1
      }
    }
    const disturb = async () => {
      while (!isDone && !isOver()) {
        await sleep(1_000 + random() * 3_000)
        if (tally.kills >= wanted.kills) continue
        const dice = random()
        if (dice < 0.3) {
          chain.freeze()
          await sleep(1_000 + random() * 2_500)
          chain.thaw()
          tally.freezes += 1
        } else if (dice < 0.6) {
          await chain.rpc('anvil_dropAllTransactions').catch(() => undefined)
          tally.drops += 1
        } else {
          await chain.reorganise(1 + Math.floor(random() * 3)).catch(() => undefined)
          tally.reorganisations += 1
        }
      }
    }
    const tell = async () => {
      while (!isDone && !isOver()) {
        await sleep(5_000)
        const minted = await progress()
        say(`  ${Math.round((performance.now() - startedAt) / 1000)} s: ${tally.kills} kills, ${minted} minted`)
      }
    }
    await Promise.all([
      ...Array.from({ length: submitters }, () => keepKilling('worker')),
      ...Array.from({ length: indexers }, () => keepKilling('indexer')),
      disturb(),
      tell(),
    ])
    return { ...tally, ...(await judge(world, wanted.orders)), seconds: (performance.now() - startedAt) / 1000 }
  } finally {
    chain.thaw()
    await installation.end()
    await chain.stop()
  }
}

async function manyReadyOrders(world: SettlementWorld, count: number): Promise<void> {
  const each = Math.ceil(count / wallets)
  for (let made = 0; made < count; made += each) {
    const accountId = await world.investor()
    await world.paidOrders(accountId, Math.min(each, count - made))
    const payload = { tenant_id: world.tenantId, account_id: accountId }
    await checkMintPreconditions.run(payload as never, { ...world.direct.databases, clock: systemClock } as never)
  }
}

async function judge(world: SettlementWorld, orders: number) {
  const problems: string[] = []
  const { MINTED = 0, ...others } = await world.statuses()
  if (Object.keys(others).length > 0) problems.push(`left: ${JSON.stringify(others)}`)
  await world.index().catch(() => undefined)
  await world.assertExact(orders).catch((error: Error) => problems.push(error.message))
  const [doubled] = await world.rows<{ count: number }>(
    `select count(*)::int as count from (select order_id from cell.token_log where order_id is not null
     group by order_id having count(*) > 1) twice`,
  )
  const alarms = (await world.ops()).filter(({ state }) => state === 'ALARM').length
  if (alarms > 0) problems.push(`${alarms} alarms`)
  return { orders, minted: MINTED, doubled: doubled?.count ?? 0, lost: orders - MINTED, alarms, problems }
}
