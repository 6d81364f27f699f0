import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { PacedChain } from '../../../test/harness/chain/paced-chain.ts'
import { SoftHsm, softHsmIsMissing } from '../../../test/harness/chain/soft-hsm.ts'
import { openTestSigners } from '../../../test/harness/chain/test-signers.ts'
import { copyDatabase, redisUrl } from '../../../test/harness/installation/database.ts'
import { TestInstallation } from '../../../test/harness/installation/test-installation.ts'
import { SettlementWorld } from '../../../test/harness/tokens/settlement-world.ts'
import { until, waitingForLocks } from '../../../test/harness/wait.ts'
import { cancelOrder } from '../../sales/orders/cancel-order.ts'
import { Chain } from '../chain/chain.ts'
import { retryChainOp } from '../chain-ops/operator/retry-chain-op.ts'
import { catchUpSigner, readUsedNonces } from '../signers/catch-up-signer.ts'
import { planMint } from './plan-mint.ts'

const killAt = fileURLToPath(new URL('../../../test/harness/faults/kill-at.ts', import.meta.url))

describe('settlement', async () => {
  let world: SettlementWorld

  const [installation, chain] = await Promise.all([TestInstallation.create(), PacedChain.start()])
  afterEach(() => world.end())
  after(() => chain.stop())
  after(() => installation.end())

  /** Creates a tenant with a deployed token, one minted order and `count` orders that are READYTOMINT. */
  async function prepare(count: number): Promise<string> {
    world = await SettlementWorld.create(installation, chain)
    const accountId = await world.investor()
    // The first order triggers the deployment of the token and the registration of the wallet.
    await world.readyOrders(accountId, 1)
    await world.settle()
    // The mint's op becomes FINAL one cycle after its order becomes MINTED.
    await world.runCycle()
    await world.readyOrders(accountId, count)
    return accountId
  }
  const mints = async () => (await world.ops()).filter(({ kind }) => kind === 'MINT')

  test('an open offering gets its token, wallets are registered first, and one batch mints all orders', async () => {
    await prepare(5)
    await world.settle()
    await world.assertExact(6)
    await world.runCycle()
    assert.deepEqual(
      (await world.ops()).map(({ kind, state, nonce }) => `${kind} ${state} ${nonce}`),
      // Other tenants use the factory that the first one deployed.
      [
        'DEPLOY_FACTORY FINAL 0',
        'DEPLOY_DESK FINAL 1',
        'DEPLOY_TOKEN FINAL 2',
        'REGISTER_WALLETS FINAL 3',
        'MINT FINAL 4',
        'MINT FINAL 5',
      ],
    )
  })

  for (const point of ['reserving', 'reserved', 'stored', 'broadcast'] as const)
    test(`a worker killed at "${point}" does not mint twice, and another worker finishes its work`, async () => {
      await prepare(3)
      const killed = await installation.startWorkerProcess({ ...world.settings, KILL_AT: point }, [killAt])
      assert.equal(await killed.ended, null)
      assert.ok((await mints()).some(({ state }) => state !== 'FINAL'))
      // Sent transactions are finalized before another worker checks the op. The fees change, so that signing again
      // would not produce the same transaction by chance.
      await chain.mine(6)
      await chain.rpc('anvil_setNextBlockBaseFeePerGas', '0x77359400')
      await chain.mine()
      await world.settle()
      await world.assertExact(4)
      await world.runCycle()
      // Not in ALARM: the other worker knew what had been sent.
      assert.deepEqual(new Set((await mints()).map(({ state }) => state)), new Set(['FINAL']))
    })

  test('a worker killed while it plans a mint has planned nothing', async () => {
    await prepare(3)
    const killed = await installation.startWorkerProcess({ ...world.settings, KILL_AT: 'planned' }, [killAt])
    assert.equal(await killed.ended, null)
    assert.deepEqual(await world.statuses(), { MINTED: 1, READYTOMINT: 3 })
    await world.settle()
    await world.assertExact(4)
  })

  test('a fee that has become too low is raised, with the same nonce', async () => {
    await prepare(2)
    const context = world.context({ bumpAfterMs: 0 })
    await world.runCycle(context, 0)
    await chain.rpc('anvil_setNextBlockBaseFeePerGas', '0x2540be400')
    await chain.mine()
    assert.equal((await mints()).at(-1)?.state, 'SIGNED')
    await world.settle(context)
    await world.assertExact(3)
    const attempts = await world.rows('select attempt from cell.chain_tx where op_id = $1', [
      (await mints()).at(-1)?.id,
    ])
    assert.ok(attempts.length >= 2, `${attempts.length} attempts`)
    await chain.rpc('anvil_setNextBlockBaseFeePerGas', '0x3b9aca00')
  })

  test('transactions are sent again after the node lost its mempool', async () => {
    await prepare(2)
    await world.runCycle(undefined, 0)
    await chain.rpc('anvil_dropAllTransactions')
    await chain.mine()
    assert.equal((await mints()).at(-1)?.state, 'SIGNED')
    await world.settle()
    await world.assertExact(3)
  })

  test('a worker waits for a node that is frozen for seconds', async () => {
    await prepare(2)
    chain.freeze()
    const cycle = world.runCycle(undefined, 0).catch(() => undefined)
    setTimeout(() => chain.unfreeze(), 4_000)
    await cycle
    await world.settle()
    await world.assertExact(3)
  })

  test('an order is minted once if the response to a broadcast is lost', async () => {
    await prepare(2)
    const lossy = new Chain('anvil', chain.url)
    const send = lossy.broadcast.bind(lossy)
    lossy.broadcast = async (raw) => {
      await send(raw)
      throw new Error('the connection broke after the request was sent')
    }
    await world.runCycle(world.context({ chains: new Map([['anvil', lossy]]) }))
    await world.settle()
    await world.assertExact(3)
  })

  test('an order is minted once if a reorg drops the mint, and if one moves it to another block', async () => {
    await prepare(2)
    await world.runCycle()
    await world.runCycle(undefined, 0)
    assert.equal((await mints()).at(-1)?.state, 'MINED')
    await chain.reorg(1)
    await world.runCycle(undefined, 0)
    assert.equal((await mints()).at(-1)?.state, 'SIGNED')
    await chain.mine()
    await world.runCycle()
    await chain.reorg(2)
    await world.settle()
    await world.assertExact(3)
  })

  test('a bad order in a batch is found by splitting and put on hold with the reason; the others are minted', async () => {
    const accountId = await prepare(4)
    const unregistered = await world.investor()
    const [bad] = await world.readyOrders(unregistered, 1)
    await world.readyOrders(accountId, 3)
    // Our tables say that the wallet is registered with the token; it is not.
    await world.rows(
      `insert into cell.token_holder (tenant_id, offering_id, wallet_id, account_id, op_id, is_registered)
       select tenant_id, offering_id, mint_wallet_id, account_id, (select op_id from cell.token_holder holder
              where holder.tenant_id = token_order.tenant_id limit 1), true
       from cell.token_order where id = $1`,
      [bad],
    )
    for (let cycle = 0; cycle < 20; cycle += 1) await world.runCycle()
    assert.deepEqual(await world.statuses(), { MINTED: 8, READYTOMINT: 1 })
    await world.assertExact(8)
    const [onHold] = await world.rows(
      'select id, mint_hold_reason from cell.token_order where mint_hold_reason is not null',
    )
    assert.equal(onHold?.['id'], bad)
    assert.match(String(onHold?.['mint_hold_reason']), /^ERC7943CannotReceive\(0x/)
  })

  test('a stale nonce ends in ALARM; after catch-up and a retry the order is minted once', async () => {
    await prepare(2)
    await world.settle()
    await world.readyOrders(await world.investor(), 1)
    const { tenantId } = world
    // The chain has already seen these nonces, as after a restore from a backup.
    await world.rows('update cell.chain_op set nonce = nonce + 1000 where tenant_id = $1', [tenantId])
    await world.rows('update cell.chain_signer set next_nonce = 0 where tenant_id = $1', [tenantId])
    for (let cycle = 0; cycle < 8; cycle += 1) await world.runCycle()
    const [alarmed, ...others] = (await world.ops()).filter(({ state }) => state === 'ALARM')
    assert.deepEqual(others, [])
    assert.match(
      alarmed?.failure ?? '',
      /^nonce 0 of the signer was used by a transaction that this service did not send/,
    )
    assert.equal((await world.statuses())['MINTED'], 3)

    const node = new Chain('anvil', chain.url)
    const nonces = await readUsedNonces(node, world.signer)
    const raised = await world.direct.write((tx) => catchUpSigner(tx, { tenantId, chain: 'anvil' }, nonces))
    const used = await chain.client.getTransactionCount({ address: world.signer })
    assert.ok(used > 1)
    assert.deepEqual(raised, { before: 1, after: used })
    await world.direct.run(retryChainOp, { params: { opId: alarmed?.id ?? '' } })
    await world.settle()
    await world.assertExact(4)
  })

  test('a key in an HSM mints too', { skip: softHsmIsMissing }, async () => {
    const hsm = await SoftHsm.create()
    const signers = openTestSigners(installation, { pkcs11Module: hsm.path, pkcs11Pin: hsm.pin })
    try {
      world = await SettlementWorld.create(installation, chain, { signers })
      const [signer] = await world.rows('select key_backend from cell.chain_signer where tenant_id = $1', [
        world.tenantId,
      ])
      assert.deepEqual(signer, { key_backend: 'pkcs11' })
      await world.readyOrders(await world.investor(), 2)
      await world.settle(world.context({ signers }))
      await world.assertExact(2)
    } finally {
      await signers.close()
      await hsm.remove()
    }
  })

  test('a database restored from an old backup mints nothing twice and catches up with the chain', async () => {
    await prepare(3)
    const backup = await copyDatabase(installation.config.databaseUrl)
    await world.settle()
    await world.assertExact(4)
    const restored = new TestInstallation({ DATABASE_URL: backup.url, REDIS_URL: redisUrl }, { own: backup })
    const restoredWorld = world.on(restored)
    try {
      assert.deepEqual(await restoredWorld.statuses(), { MINTED: 1, READYTOMINT: 3 })
      await restoredWorld.settle()
      await restoredWorld.assertExact(4)
      // It used an old nonce, so the chain ignored its mint; ALARM notifies an operator.
      for (let cycle = 0; cycle < 6; cycle += 1) await restoredWorld.runCycle()
      const alarmed = (await restoredWorld.ops()).filter(({ state }) => state === 'ALARM')
      assert.equal(alarmed.length, 1)
      await restoredWorld.assertExact(4)
    } finally {
      await restoredWorld.end()
      await restored.end()
    }
  })

  test('a cancellation after the plan has locked the order is 409; a plan after it skips the order', async () => {
    await prepare(1)
    const [{ id: orderId } = { id: '' }] = await world.rows<{ id: string }>(
      `select id from cell.token_order where tenant_id = $1 and status = 'READYTOMINT'`,
      [world.tenantId],
    )
    const { tenantId, offeringId } = world
    const cancel = () => world.direct.run(cancelOrder, { params: { offeringId, orderId } })
    await installation.owner(async (client) => {
      await client.query('begin')
      // The plan has locked the order and waits for this lock to enqueue its mint.
      await client.query('select from cell.chain_signer where tenant_id = $1 for update', [tenantId])
      const planned = planMint(world.context(), { tenantId, offeringId })
      await until('the plan waits', async () => (await waitingForLocks(installation)) === 1)
      const cancelled = cancel().then(
        () => 'cancelled',
        ({ code }: { code: string }) => code,
      )
      await until('the cancellation waits', async () => (await waitingForLocks(installation)) === 2)
      await client.query('commit')
      await planned
      assert.equal(await cancelled, 'order_not_cancellable')
    })
    await world.settle()
    await world.assertExact(2)
    const accountId = await world.investor()
    const [other = ''] = await world.readyOrders(accountId, 1)
    await world.direct.run(cancelOrder, { params: { offeringId, orderId: other } })
    await world.runCycle()
    assert.deepEqual(await world.statuses(), { CANCELLED: 1, MINTED: 2 })
  })
})
