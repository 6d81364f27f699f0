import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { PacedChain } from '../../../test/harness/chain/paced-chain.ts'
import { TestInstallation } from '../../../test/harness/installation/test-installation.ts'
import { insertReadyOrders } from '../../../test/harness/tokens/ready-orders.ts'
import { planAll, SettlementWorld } from '../../../test/harness/tokens/settlement-world.ts'
import { selectDueOps } from '../chain-ops/chain-op-engine.sql.ts'

const orders = 1_000

describe('a tenant with many orders to mint', async () => {
  const installation = await TestInstallation.create()
  const chain = await PacedChain.start()
  const large = await SettlementWorld.create(installation, chain)
  const small = await SettlementWorld.create(installation, chain)
  const [holder, other] = [await large.investor(), await small.investor()]
  for (const [world, accountId] of [[large, holder] as const, [small, other] as const]) {
    await world.readyOrders(accountId, 1)
    await world.settle()
  }
  await insertReadyOrders(large, [holder], orders)
  await small.readyOrders(other, 1)
  after(() => large.end())
  after(() => small.end())
  after(() => installation.end())
  after(() => chain.stop())

  test('delays the order of another tenant by one mint, when mints are planned and when they are sent', async () => {
    const pool = small.workerPool()
    try {
      await planAll(pool, small.context())
      const mints = await small.rows<{ tenant: string }>(
        `select tenant_id as tenant from cell.chain_op where kind = 'MINT' and state = 'QUEUED' order by created_at`,
      )
      assert.equal(mints.length, orders / 100 + 1)
      const turn = mints.findIndex(({ tenant }) => tenant === small.tenantId)
      assert.ok(turn <= 1, `the other tenant's mint is number ${turn}`)
      const due = await selectDueOps(pool, ['anvil'], new Date(Date.now() + 60_000), 2)
      assert.deepEqual(
        due.map(({ tenantId }) => tenantId).toSorted(),
        [large.tenantId, small.tenantId].toSorted(),
        'each tenant has its turn',
      )
    } finally {
      await pool.end()
    }
  })
})
