import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import type pg from 'pg'
import { asOwner } from '../../test/harness/installation/database.ts'
import { sharedInstallation } from '../../test/harness/installation/shared-installation.ts'
import { AfterMintWorld } from '../../test/harness/models/after-mint-world.ts'
import { compareOrders } from '../../test/harness/models/compare-orders.ts'
import { DistributionCommands } from '../../test/harness/models/distribution-commands.ts'
import { ModelChain } from '../../test/harness/models/model-chain.ts'
import { commands as orderCommands } from '../../test/harness/models/order-commands.ts'
import { newModel, type Real } from '../../test/harness/models/order-model.ts'
import { TransferCommands } from '../../test/harness/models/transfer-commands.ts'
import { newSeed, seededRandom } from '../../test/harness/seeded-random.ts'
import { testSize } from '../../test/harness/test-size.ts'

const commandsMin = testSize({ short: 400, long: 10_000 })
/** Small enough for one tenant's model, whose at most twelve orders all end. Then another tenant follows. */
const commandsPerTenant = 400
/** Opening commands, which create units so that the later ones have something to do. */
const opening = [
  { name: /^create/, times: 5 },
  { name: /^payTotal/, times: 8 },
  { name: /^accept\(/, times: 8 },
  { name: /^setApproval\(true/, times: 1 },
  { name: /^plan/, times: 8 },
  { name: /^minted/, times: 8 },
]

/** Commands that are listed several times are run more often. */
const often = [
  'draft',
  'calculate',
  'approve',
  'pay',
  'download',
  'download',
  ...Array(8).fill('debit'),
  'burn',
  'burn',
]
const oftenOnChain = [
  'request',
  'request',
  'approveTransfer',
  'approveTransfer',
  'send',
  'send',
  'execute',
  'execute',
  'execute',
]

/** Commands that a run must contain at least once to prove anything. */
const required = ['payDistribution', 'debited', 'approveTransfer', 'send', 'REGISTER_WALLETS']

describe('orders, money, distributions and transfers in random order', async () => {
  const seed = Number(process.env['SEED'] ?? newSeed())
  const random = seededRandom(seed)
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
  const counts: Record<string, { done: number; rejected: number }> = {}
  const installation = await sharedInstallation()
  const chain = await ModelChain.start(installation)
  after(async () => {
    await chain.end()
    await installation.end()
  })

  /** Runs the commands of one tenant and returns their number. */
  async function runTenant(client: pg.Client, tenant: number): Promise<number> {
    const model = newModel(random() < 0.3, pick([0n, 0n, 0n, 5n]))
    const world = await AfterMintWorld.create(installation, { chain, client, orders: model })
    const { direct, offeringId, parties } = world
    const distributions = new DistributionCommands(world, random, counts)
    const transfers = new TransferCommands(world, random, counts)
    const steps = { ...distributions.steps, ...transfers.steps }
    const names = [...often, ...oftenOnChain, ...Object.keys(steps)]
    const real: Real = {
      direct,
      accountId: parties[0]?.accountId ?? '',
      offeringId,
      unassigned: model.unassigned,
      check: () => compareOrders(client, offeringId, model),
    }
    const sample = fc.sample(fc.oneof(...orderCommands), { seed: seed + tenant, numRuns: 4 * commandsPerTenant })
    const first = opening.flatMap(({ name, times }) =>
      sample.filter((command) => name.test(String(command))).slice(0, times),
    )
    let ran = 0
    const step = async (name: string, run: () => Promise<unknown>) => {
      try {
        await run()
        await world.mint()
        await compareOrders(client, offeringId, model)
        await distributions.check()
        await world.check()
      } catch (error) {
        throw new Error(`${name}, command ${ran} of tenant ${tenant}, seed ${seed}`, { cause: error })
      }
      ran += 1
    }
    while (ran < commandsPerTenant) {
      const name = pick(names)
      const command = first.shift() ?? (random() < 0.25 ? sample.pop() : undefined)
      if (!command) await step(name, async () => steps[name]?.())
      else if (command.check(model)) await step(String(command), () => command.run(model, real))
    }
    await world.finalize()
    return ran
  }

  test(`after each of ${commandsMin} commands all money and all units add up, with seed ${seed}`, async (t) => {
    const missing = () => required.filter((id) => (counts[id]?.done ?? 0) === 0)
    let ran = 0
    await asOwner(installation.config.databaseUrl, async (client) => {
      // If a few random commands miss a required one, another tenant follows.
      for (let tenant = 0; ran < commandsMin || (missing().length > 0 && ran < 8 * commandsMin); tenant += 1)
        ran += await runTenant(client, tenant)
    })
    t.diagnostic(`${ran} commands, seed ${seed}`)
    for (const [id, { done, rejected }] of Object.entries(counts))
      t.diagnostic(`${id}: ${done} done, ${rejected} rejected`)
    assert.deepEqual(missing(), [], 'done at least once')
  })
})
