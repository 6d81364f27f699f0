import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { PacedChain } from '../../../test/harness/paced-chain.ts'
import { TestInstallation } from '../../../test/harness/service.ts'
import { SettlementWorld } from '../../../test/harness/settlement-world.ts'
import { until } from '../../../test/harness/wait.ts'

describe('the factory that all tenants of a chain share', () => {
  let installation: TestInstallation
  let chain: PacedChain

  before(async () => {
    ;[installation, chain] = await Promise.all([TestInstallation.create(), PacedChain.start()])
  })
  after(async () => {
    await chain.stop()
    await installation.end()
  })

  test('two tenants that deploy it in the same block both use it, although one deployment reverts', async () => {
    const worlds = [
      await SettlementWorld.create(installation, chain),
      await SettlementWorld.create(installation, chain),
    ]
    for (const world of worlds) await world.readyOrders(await world.investor(), 1)
    const factories = async () => {
      const ops = await Promise.all(worlds.map((world) => world.ops()))
      return ops.map((own) => own.find(({ kind }) => kind === 'DEPLOY_FACTORY')?.state)
    }
    // Without a block in between.
    await until('both are sent', async () => {
      await worlds[0]?.runCycle(undefined, 0)
      return (await factories()).every((state) => state === 'SIGNED')
    })
    for (const world of worlds) await world.settle()
    assert.deepEqual(await factories(), ['FINAL', 'FINAL'])
    const hashes = await installation.owner((client) =>
      client.query<{ hash: string }>(
        `select mined_hash as hash from cell.chain_op where kind = 'DEPLOY_FACTORY' and mined_hash is not null`,
      ),
    )
    const receipts = (await Promise.all(
      hashes.rows.map(({ hash }) => chain.rpc('eth_getTransactionReceipt', hash)),
    )) as { status: string }[]
    assert.deepEqual(receipts.map(({ status }) => status).toSorted(), ['0x0', '0x1'], 'one of them reverted')
    for (const world of worlds) await world.end()
  })
})
