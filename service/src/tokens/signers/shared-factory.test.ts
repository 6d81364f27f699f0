import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { PacedChain } from '../../../test/harness/chain/paced-chain.ts'
import { TestInstallation } from '../../../test/harness/installation/test-installation.ts'
import { SettlementWorld } from '../../../test/harness/tokens/settlement-world.ts'
import { until } from '../../../test/harness/wait.ts'

describe('the factory that all tenants of a chain share', () => {
  let installation: TestInstallation
  let chain: PacedChain

  beforeEach(async () => {
    ;[installation, chain] = await Promise.all([TestInstallation.create(), PacedChain.start()])
  })
  afterEach(async () => {
    await chain.stop()
    await installation.end()
  })

  async function createWorld(): Promise<SettlementWorld> {
    const world = await SettlementWorld.create(installation, chain)
    await world.readyOrders(await world.investor(), 1)
    return world
  }
  const factoryOf = async (world: SettlementWorld) =>
    (await world.ops()).find(({ kind }) => kind === 'DEPLOY_FACTORY')?.state

  test('two tenants that deploy it in the same block both use it, although one deployment reverts', async () => {
    const worlds = [await createWorld(), await createWorld()]
    await until('both are sent', async () => {
      await worlds[0]?.runCycle(undefined, 0)
      const states = await Promise.all(worlds.map(factoryOf))
      if (states.every((state) => state === 'SIGNED')) return true
      // The second op must not see the first, or it would wait for it. A cycle sends the first one again.
      await chain.rpc('anvil_dropAllTransactions')
      return false
    })
    for (const world of worlds) await world.settle()
    assert.deepEqual(await Promise.all(worlds.map(factoryOf)), ['FINAL', 'FINAL'])
    const hashes = await installation.rows<{ hash: string }>(
      `select mined_hash as hash from cell.chain_op where kind = 'DEPLOY_FACTORY' and mined_hash is not null`,
    )
    const receipts = (await Promise.all(hashes.map(({ hash }) => chain.rpc('eth_getTransactionReceipt', hash)))) as {
      status: string
    }[]
    assert.deepEqual(receipts.map(({ status }) => status).toSorted(), ['0x0', '0x1'], 'one of them reverted')
    for (const world of worlds) await world.end()
  })

  test('a tenant whose dry run sees the deployment of another one in the mempool waits for it', async () => {
    const first = await createWorld()
    await until('the first one is sent', async () => {
      await first.runCycle(undefined, 0)
      return (await factoryOf(first)) === 'SIGNED'
    })
    const second = await createWorld()
    for (let cycle = 0; cycle < 4; cycle += 1) await second.runCycle(undefined, 0)
    assert.deepEqual([await factoryOf(first), await factoryOf(second)], ['SIGNED', 'QUEUED'])
    for (const world of [first, second]) await world.settle()
    assert.deepEqual([await factoryOf(first), await factoryOf(second)], ['FINAL', 'FINAL'])
    for (const world of [first, second]) await world.end()
  })
})
