import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { PacedChain } from './harness/chain/paced-chain.ts'
import { RestoredInstallation } from './harness/clusters/restored.ts'
import { TestInstallation } from './harness/installation/test-installation.ts'
import { SettlementWorld } from './harness/tokens/settlement-world.ts'

describe('maintain after-restore with a chain that has continued', async () => {
  const [installation, chain] = await Promise.all([TestInstallation.create(), PacedChain.start()])
  const world = await SettlementWorld.create(installation, chain)
  after(async () => {
    await world?.end()
    await chain?.stop()
    await installation?.end()
  })
  const accountId = await world.investor()
  await world.readyOrders(accountId, 1)
  await world.settle()
  await world.runCycle()

  const restore = () => RestoredInstallation.of(installation, world.settings)
  const nextNonce = async (of: SettlementWorld) => {
    const [row] = await of.rows<{ nonce: number }>(
      'select next_nonce::int as nonce from cell.chain_signer where tenant_id = $1',
      [of.tenantId],
    )
    return row?.nonce
  }
  const used = (blockTag: 'latest' | 'pending', of = world) =>
    chain.client.getTransactionCount({ address: of.signer, blockTag })

  test('orders minted later become MINTED, signers continue, and an unknown signer is named', async () => {
    await world.readyOrders(accountId, 3)
    const restored = await restore()
    const restoredWorld = world.on(restored.installation)
    try {
      const first = await used('latest')
      await world.settle()
      // Its signer is missing in the restored database.
      const later = await SettlementWorld.create(installation, chain)
      await later.readyOrders(await later.investor(), 1)
      await later.settle()
      await later.end()

      const { code, output, report } = await restored.afterRestore()
      assert.equal(code, 0, output)
      const { signers = [], 'unknown signers': unknown = [], reconciliation = [] } = report
      const mints = signers.filter((line) => /^ {2}nonce \d+: mint of 0x\w{40}, transaction 0x\w{64}$/.test(line))
      assert.equal(mints.length, (await used('latest')) - first, signers.join('\n'))
      assert.equal(unknown.length, 1)
      assert.match(unknown[0] ?? '', new RegExp(`is of no known signer; offerings ${later.offeringId}`))
      assert.match(reconciliation[0] ?? '', /tokens compared, 0 differ/)
      assert.deepEqual(await restoredWorld.statuses(), { MINTED: 4 })
      assert.equal(await nextNonce(restoredWorld), await used('latest'))
      await restoredWorld.assertExact(4)
      // Minting goes on, and no op ends in ALARM.
      await restoredWorld.readyOrders(accountId, 2)
      await restoredWorld.settle()
      await restoredWorld.assertExact(6)
      assert.deepEqual(
        (await restoredWorld.ops()).filter(({ state }) => state === 'ALARM'),
        [],
      )
    } finally {
      await restoredWorld.end()
      await restored.end()
    }
  })

  test('a token minted for an order that was created later stops minting of its offering', async () => {
    const other = await SettlementWorld.create(installation, chain)
    const investor = await other.investor()
    await other.readyOrders(investor, 1)
    await other.settle()
    await other.runCycle()
    const restored = await restore()
    try {
      await other.readyOrders(investor, 1)
      await other.settle()
      const { code, output, report } = await restored.afterRestore()
      assert.equal(code, 0, output)
      const lines = (report['reconciliation'] ?? []).join('\n')
      assert.match(lines, new RegExp(`offering ${other.offeringId}, tenant .*: minting is stopped: `))
      const [offering] = await other
        .on(restored.installation)
        .rows('select minting_stopped from cell.offering where id = $1', [other.offeringId])
      assert.notEqual(offering?.['minting_stopped'], null)
    } finally {
      await other.end()
      await restored.end()
    }
  })

  test('waits for pending transactions; a signer that continues despite them never uses their nonces', async () => {
    const waiting = await SettlementWorld.create(installation, chain)
    const investor = await waiting.investor()
    await waiting.readyOrders(investor, 1)
    await waiting.settle()
    await waiting.runCycle()
    const restored = await restore()
    const restoredWorld = waiting.on(restored.installation)
    try {
      await waiting.readyOrders(investor, 1)
      for (let cycle = 0; cycle < 4; cycle += 1) await waiting.runCycle(waiting.context(), 0)
      const [latest, pending] = [await used('latest', waiting), await used('pending', waiting)]
      assert.equal(pending, latest + 1, 'one mint waits in the node')
      const rejected = await restored.afterRestore(['--pending-seconds', '1'])
      assert.equal(rejected.code, 1, rejected.output)
      assert.match(rejected.output, /1 of its transactions still wait in the node/)
      assert.match(rejected.output, /or add --accept-pending/)
      const accepted = await restored.afterRestore(['--pending-seconds', '1', '--accept-pending'])
      assert.equal(accepted.code, 0, accepted.output)
      assert.equal(await nextNonce(restoredWorld), pending)
    } finally {
      await chain.mine(1)
      await waiting.end()
      await restoredWorld.end()
      await restored.end()
    }
  })

  test('cancels queued token actions, which may have been executed, but not mints', async () => {
    const insert = (kind: string) =>
      world.rows(
        `insert into cell.chain_op (tenant_id, id, chain, kind, dedupe_key, to_address, data, next_check_at)
         values ($1, gen_random_uuid(), 'anvil', $2, $2, $3, '0x', now() + interval '1 day')`,
        [world.tenantId, kind, world.signer],
      )
    await insert('BURN')
    await insert('REGISTER_WALLETS')
    const restored = await restore()
    try {
      const { code, output, report } = await restored.afterRestore()
      assert.equal(code, 0, output)
      const [summary, line] = report['token actions'] ?? []
      assert.match(summary ?? '', /^1 queued token actions are cancelled/)
      assert.match(line ?? '', /^BURN /)
      const ops = await world
        .on(restored.installation)
        .rows(`select kind, is_cancelling from cell.chain_op where state = 'QUEUED' order by kind`)
      assert.deepEqual(ops, [
        { kind: 'BURN', is_cancelling: true },
        { kind: 'REGISTER_WALLETS', is_cancelling: false },
      ])
    } finally {
      await world.rows(`delete from cell.chain_op where dedupe_key in ('BURN', 'REGISTER_WALLETS')`)
      await restored.end()
    }
  })
})
