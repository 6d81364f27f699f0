import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { PacedChain } from '../../../test/harness/chain/paced-chain.ts'
import { TestInstallation } from '../../../test/harness/installation/test-installation.ts'
import { SettlementWorld } from '../../../test/harness/tokens/settlement-world.ts'
import { Chain } from '../chain/chain.ts'
import { cancelChainOp } from '../chain-ops/operator/cancel-chain-op.ts'
import { retryChainOp } from '../chain-ops/operator/retry-chain-op.ts'

/** The proxy that deploys all contracts. */
const deployer = '0x4e59b44847b379578588920cA78FbF26c0B4956C'
const revertingCode = '0x60006000fd'
/** Every call succeeds and does nothing. */
const emptyCode = '0x00'

describe('a chain op is sent once its dependency is in a block', () => {
  let installation: TestInstallation
  let chain: PacedChain
  let world: SettlementWorld

  /** Starts a new chain without a factory, and creates three orders of two wallets. */
  beforeEach(async () => {
    ;[installation, chain] = await Promise.all([TestInstallation.create(), PacedChain.start()])
    world = await SettlementWorld.create(installation, chain)
    await world.readyOrders(await world.investor(), 2)
    await world.readyOrders(await world.investor(), 1)
  })
  afterEach(async () => {
    await world.end()
    await chain.stop()
    await installation.end()
  })

  const states = async () => (await world.ops()).map(({ kind, state }) => `${kind} ${state}`)
  const blamedOrders = () =>
    world.rows('select id from cell.token_order where mint_failures > 0 or mint_hold_reason is not null')
  const opOf = async (kind: string) => (await world.ops()).find((op) => op.kind === kind)
  const deployerCode = async () => String(await chain.rpc('eth_getCode', deployer, 'latest'))
  const setDeployerCode = (code: string) => chain.rpc('anvil_setCode', deployer, code)

  /** Runs cycles until an op of this kind is in this state. Mines a block only if a transaction waits for it. */
  async function runUntil(kind: string, state: string): Promise<void> {
    for (let cycle = 0; cycle < 30; cycle += 1) {
      const ops = await world.ops()
      if (ops.some((op) => op.kind === kind && op.state === state)) return
      await world.runCycle(undefined, 0)
      if ((await states()).some((one) => one.endsWith('SIGNED'))) await chain.mine()
    }
    assert.fail(`no ${kind} became ${state}: ${JSON.stringify(await states())}`)
  }

  test('the first mint is in a block before its token is finalized; no order is MINTED until then', async () => {
    await runUntil('MINT', 'MINED')
    const others = (await states()).filter((state) => !state.startsWith('DEPLOY_FACTORY'))
    assert.deepEqual(others, ['DEPLOY_DESK MINED', 'DEPLOY_TOKEN MINED', 'REGISTER_WALLETS MINED', 'MINT MINED'])
    assert.deepEqual(await world.statuses(), { MINTING: 3 })
    await world.settle()
    await world.assertExact(3)
  })

  test('a reorg that removes the dependencies after their dependents were sent mints each order once', async () => {
    await runUntil('MINT', 'MINED')
    const { number } = await chain.client.getBlock({ blockTag: 'finalized' })
    const head = await chain.client.getBlockNumber({ cacheTime: 0 })
    // The reorg removes all unfinalized transactions: the desk, its token, the registration and the mint.
    await chain.reorg(Number(head - number))
    assert.equal(await world.supply(), 0n)
    await world.settle()
    await world.assertExact(3)
    assert.equal(await world.countMintedTwice(), 0)
    for (let cycle = 0; cycle < 4; cycle += 1) await world.runCycle(undefined, 2)
    assert.deepEqual(new Set((await world.ops()).map(({ state }) => state)), new Set(['FINAL']))
  })

  test('a reorg between the check of the dependency and the dry run puts no order on hold', async () => {
    await runUntil('REGISTER_WALLETS', 'MINED')
    const racing = new Chain('anvil', chain.url)
    const estimate = racing.estimateGas.bind(racing)
    let reorgs = 0
    racing.estimateGas = async (from, call) => {
      reorgs += 1
      if (reorgs === 1) await chain.reorg(2)
      return estimate(from, call)
    }
    await world.runCycle(world.context({ chains: new Map([['anvil', racing]]) }))
    assert.ok(reorgs > 0, 'a mint was checked')
    assert.equal((await opOf('MINT'))?.state, 'QUEUED')
    await world.settle()
    await world.assertExact(3)
    assert.deepEqual(await blamedOrders(), [])
  })

  for (const [code, receipt] of [
    [revertingCode, 'reverted'],
    [emptyCode, 'succeeded, but there is no contract'],
  ] as const)
    test(`nothing follows a deployment whose transaction ${receipt}`, async () => {
      const original = await deployerCode()
      await world.runCycle(undefined, 0)
      await setDeployerCode(code)
      await chain.mine()
      await setDeployerCode(original)
      // The desk does not call the factory; the token does.
      await runUntil('DEPLOY_DESK', 'MINED')
      for (let cycle = 0; cycle < 2; cycle += 1) await world.runCycle(undefined, 0)
      assert.deepEqual(await states(), ['DEPLOY_FACTORY MINED', 'DEPLOY_DESK MINED', 'DEPLOY_TOKEN QUEUED'])
      assert.equal(await chain.client.getTransactionCount({ address: world.signer, blockTag: 'pending' }), 2)
    })

  test('the dependents of a deployment that failed end as REVERTED', async () => {
    const original = await deployerCode()
    await world.runCycle(undefined, 0)
    await setDeployerCode(revertingCode)
    await chain.mine()
    await setDeployerCode(original)
    for (let cycle = 0; cycle < 4; cycle += 1) await world.runCycle(undefined, 5)
    assert.deepEqual(await states(), ['DEPLOY_FACTORY REVERTED', 'DEPLOY_DESK REVERTED', 'DEPLOY_TOKEN REVERTED'])
    assert.deepEqual(await world.statuses(), { READYTOMINT: 3 })
  })

  test('calls of a desk that a reorg removed for good do not count as done', async () => {
    await runUntil('MINT', 'MINED')
    const original = await deployerCode()
    const { number } = await chain.client.getBlock({ blockTag: 'finalized' })
    const head = await chain.client.getBlockNumber({ cacheTime: 0 })
    await chain.reorg(Number(head - number))
    await setDeployerCode(revertingCode)
    for (let cycle = 0; cycle < 6; cycle += 1) await world.runCycle(undefined, 2)
    // The registration and the mint succeeded: they called an address without code.
    assert.deepEqual(
      (await states()).filter((state) => !state.startsWith('DEPLOY_FACTORY')),
      ['DEPLOY_DESK REVERTED', 'DEPLOY_TOKEN REVERTED', 'REGISTER_WALLETS REVERTED', 'MINT REVERTED'],
    )
    assert.deepEqual(await world.statuses(), { READYTOMINT: 3 })
    assert.deepEqual(await blamedOrders(), [])
    await setDeployerCode(original)
    for (const kind of ['DEPLOY_DESK', 'DEPLOY_TOKEN', 'REGISTER_WALLETS']) {
      await world.direct.run(retryChainOp, { params: { opId: (await opOf(kind))?.id ?? '' } })
      for (let cycle = 0; cycle < 3; cycle += 1) await world.runCycle(undefined, 5)
    }
    await world.settle()
    await world.assertExact(3)
  })

  test('a mint whose registration is cancelled after a reorg reverts, and its orders are minted once', async () => {
    await runUntil('MINT', 'MINED')
    await chain.reorg(2)
    await world.runCycle(undefined, 0)
    const registration = await opOf('REGISTER_WALLETS')
    assert.equal(registration?.state, 'SIGNED')
    await world.direct.run(cancelChainOp, { params: { opId: registration.id } })
    await world.settle()
    await world.assertExact(3)
    const found = await states()
    assert.ok(found.includes('REGISTER_WALLETS CANCELLED') && found.includes('MINT REVERTED'), found.join())
    assert.deepEqual(await blamedOrders(), [])
  })
})
