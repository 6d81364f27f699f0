import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { copyDatabase, redisUrl } from '../../../test/harness/database.ts'
import { PacedChain } from '../../../test/harness/paced-chain.ts'
import { TestInstallation } from '../../../test/harness/service.ts'
import { SettlementWorld } from '../../../test/harness/settlement-world.ts'
import { SoftHsm, softHsmIsMissing } from '../../../test/harness/soft-hsm.ts'
import { until, waitingForLocks } from '../../../test/harness/wait.ts'
import { cancelOrder } from '../../sales/orders/cancel-order.ts'
import { Chain } from '../chain/chain.ts'
import { bumpedFees, feeMax } from '../chain-ops/fees.ts'
import { retryChainOp } from '../chain-ops/operator/retry-chain-op.ts'
import { catchUpSigner } from '../signers/catch-up-signer.ts'
import { Pkcs11Module } from '../signers/pkcs11-module.ts'
import { planMint } from './plan-mints.ts'

const killAt = fileURLToPath(new URL('../../../test/harness/kill-at.ts', import.meta.url))

describe('settlement', () => {
  let installation: TestInstallation
  let chain: PacedChain
  let world: SettlementWorld

  before(async () => {
    ;[installation, chain] = await Promise.all([TestInstallation.create(), PacedChain.start()])
  })
  after(async () => {
    await chain.stop()
    await installation.end()
  })

  /** A tenant of its own for each test, with so many orders that can be minted, and a token that is there. */
  async function prepared(count: number): Promise<string> {
    world = await SettlementWorld.create(installation, chain)
    const accountId = await world.investor()
    // The first order brings the token and the registration of the wallet about.
    await world.readyOrders(accountId, 1)
    await world.settle()
    // Its own op ends a round after the order did.
    await world.round()
    await world.readyOrders(accountId, count)
    return accountId
  }
  const mints = async () => (await world.ops()).filter(({ kind }) => kind === 'MINT')

  test('an open offering gets its token, wallets are registered first, and orders become tokens in one batch', async () => {
    await prepared(5)
    await world.settle()
    await world.assertExact(6)
    await world.round()
    assert.deepEqual(
      (await world.ops()).map(({ kind, state, nonce }) => `${kind} ${state} ${nonce}`),
      // The factory is there for all tenants after the first.
      [
        'DEPLOY_FACTORY FINAL 0',
        'DEPLOY_DESK FINAL 1',
        'DEPLOY_TOKEN FINAL 2',
        'REGISTER_WALLETS FINAL 3',
        'MINT FINAL 4',
        'MINT FINAL 5',
      ],
    )
    await world.end()
  })

  for (const point of ['reserving', 'reserved', 'stored', 'broadcast'] as const)
    test(`a worker that dies at "${point}" leaves work that another one ends, once`, async () => {
      await prepared(3)
      const doomed = await installation.startWorker({ ...world.settings, KILL_AT: point }, [killAt])
      assert.equal(await doomed.ended, null)
      assert.ok((await mints()).some(({ state }) => state !== 'FINAL'))
      // What was sent gets into a block, for good, before anybody else looks; and fees have changed by then, so that
      // signing it again does not make the same transaction by chance.
      await chain.mine(6)
      await chain.rpc('anvil_setNextBlockBaseFeePerGas', '0x77359400')
      await chain.mine()
      await world.settle()
      await world.assertExact(4)
      await world.round()
      // Not in an alarm: whoever went on knew what had been sent.
      assert.deepEqual(new Set((await mints()).map(({ state }) => state)), new Set(['FINAL']))
      await world.end()
    })

  test('a worker that dies while it plans has planned nothing', async () => {
    await prepared(3)
    const doomed = await installation.startWorker({ ...world.settings, KILL_AT: 'planned' }, [killAt])
    assert.equal(await doomed.ended, null)
    assert.deepEqual(await world.statuses(), { MINTED: 1, READYTOMINT: 3 })
    await world.settle()
    await world.assertExact(4)
    await world.end()
  })

  test('a fee that has become too low is raised, under the same number', async () => {
    await prepared(2)
    const settlement = world.settlement({ bumpAfterMs: 0 })
    await world.round(settlement, 0)
    await chain.rpc('anvil_setNextBlockBaseFeePerGas', '0x2540be400')
    await chain.mine()
    assert.equal((await mints()).at(-1)?.state, 'SIGNED')
    await world.settle(settlement)
    await world.assertExact(3)
    const attempts = await world.rows('select attempt from cell.chain_tx where op_id = $1', [
      (await mints()).at(-1)?.id,
    ])
    assert.ok(attempts.length >= 2, `${attempts.length} attempts`)
    await chain.rpc('anvil_setNextBlockBaseFeePerGas', '0x3b9aca00')
    await world.end()
  })

  test('a replacement offers an eighth more, at least what the chain asks for, and never more than the limit', () => {
    const fees = (max: bigint, priority: bigint) => ({ maxFeePerGas: max, maxPriorityFeePerGas: priority })
    assert.deepEqual(bumpedFees(fees(800n, 80n), fees(1n, 1n)), fees(901n, 91n))
    assert.deepEqual(bumpedFees(fees(800n, 80n), fees(5_000n, 50n)), fees(5_000n, 91n))
    assert.equal(bumpedFees(fees(feeMax, 1n), fees(1n, 1n)), undefined)
  })

  test('a mempool that is lost is filled again', async () => {
    await prepared(2)
    await world.round(undefined, 0)
    await chain.rpc('anvil_dropAllTransactions')
    await chain.mine()
    assert.equal((await mints()).at(-1)?.state, 'SIGNED')
    await world.settle()
    await world.assertExact(3)
    await world.end()
  })

  test('a node that is frozen for seconds is waited for', async () => {
    await prepared(2)
    chain.freeze()
    const round = world.round(undefined, 0).catch(() => undefined)
    setTimeout(() => chain.thaw(), 4_000)
    await round
    await world.settle()
    await world.assertExact(3)
    await world.end()
  })

  test('the answer to a transaction that was sent may be lost', async () => {
    await prepared(2)
    const deaf = new Chain('anvil', chain.url)
    const send = deaf.broadcast.bind(deaf)
    deaf.broadcast = async (raw) => {
      await send(raw)
      throw new Error('the connection broke after the request was sent')
    }
    await world.round(world.settlement({ chains: new Map([['anvil', deaf]]) }))
    await world.settle()
    await world.assertExact(3)
    await world.end()
  })

  test('a reorganisation that drops the mint, and one that moves it to another block', async () => {
    await prepared(2)
    await world.round()
    await world.round(undefined, 0)
    assert.equal((await mints()).at(-1)?.state, 'MINED')
    await chain.reorganise(1)
    await world.round(undefined, 0)
    assert.equal((await mints()).at(-1)?.state, 'SIGNED')
    await chain.mine()
    await world.round()
    await chain.reorganise(2)
    await world.settle()
    await world.assertExact(3)
    await world.end()
  })

  test('a bad order in a batch is found by halving and held with the reason; the others are minted', async () => {
    const accountId = await prepared(4)
    const stranger = await world.investor()
    const [bad] = await world.readyOrders(stranger, 1)
    await world.readyOrders(accountId, 3)
    // Ours believe that the token knows this wallet; it does not.
    await world.rows(
      `insert into cell.token_holder (tenant_id, offering_id, wallet_id, account_id, op_id, is_registered)
       select tenant_id, offering_id, mint_wallet_id, account_id, (select op_id from cell.token_holder holder
              where holder.tenant_id = token_order.tenant_id limit 1), true
       from cell.token_order where id = $1`,
      [bad],
    )
    for (let round = 0; round < 20; round += 1) await world.round()
    assert.deepEqual(await world.statuses(), { MINTED: 8, READYTOMINT: 1 })
    await world.assertExact(8)
    const [held] = await world.rows('select id, held_reason from cell.token_order where held_reason is not null')
    assert.equal(held?.['id'], bad)
    assert.match(String(held?.['held_reason']), /^ERC7943CannotReceive\(0x/)
    await world.end()
  })

  test('a stale number ends in an alarm; with the numbers caught up and the op tried again, the order is minted once', async () => {
    await prepared(2)
    await world.settle()
    await world.readyOrders(await world.investor(), 1)
    const { tenantId } = world
    // As after a restored backup: numbers that the chain has seen already.
    await world.rows('update cell.chain_op set nonce = nonce + 1000 where tenant_id = $1', [tenantId])
    await world.rows('update cell.chain_signer set next_nonce = 0 where tenant_id = $1', [tenantId])
    for (let round = 0; round < 8; round += 1) await world.round()
    const [alarmed, ...others] = (await world.ops()).filter(({ state }) => state === 'ALARM')
    assert.deepEqual(others, [])
    assert.match(alarmed?.failure ?? '', /^number 0 of the signer was used by a transaction that is not ours/)
    assert.equal((await world.statuses())['MINTED'], 3)

    const node = new Chain('anvil', chain.url)
    const numbers = await world.direct.write((tx) => catchUpSigner(tx, node, { tenantId, chain: 'anvil' }))
    const used = await chain.client.getTransactionCount({ address: world.signer })
    assert.ok(used > 1)
    assert.deepEqual(numbers, { before: 1, after: used })
    await world.direct.run(retryChainOp, { params: { opId: alarmed?.id ?? '' } })
    await world.settle()
    await world.assertExact(4)
    await world.end()
  })

  test('a key that never leaves its module mints as well', { skip: softHsmIsMissing }, async () => {
    const hsm = await SoftHsm.create()
    const module = Pkcs11Module.of({ pkcs11Module: hsm.path, pkcs11Pin: hsm.pin })
    try {
      world = await SettlementWorld.create(installation, chain, module)
      const [signer] = await world.rows('select kind, sealed_key from cell.chain_signer where tenant_id = $1', [
        world.tenantId,
      ])
      assert.deepEqual(signer, { kind: 'pkcs11', sealed_key: null })
      await world.readyOrders(await world.investor(), 2)
      await world.settle(world.settlement({ module }))
      await world.assertExact(2)
      await world.end()
    } finally {
      await module?.close()
      await hsm.remove()
    }
  })

  test('a database restored from an old backup mints nothing twice, and learns from the chain what was minted', async () => {
    await prepared(3)
    const backup = await copyDatabase(installation.config.databaseUrl)
    await world.settle()
    await world.assertExact(4)
    await world.end()
    const restored = new TestInstallation({ DATABASE_URL: backup.url, REDIS_URL: redisUrl }, backup)
    const again = world.on(restored)
    try {
      assert.deepEqual(await again.statuses(), { MINTED: 1, READYTOMINT: 3 })
      await again.settle()
      await again.assertExact(4)
      // Its numbers are those of the past, so what it sent was refused: a person is told.
      for (let round = 0; round < 6; round += 1) await again.round()
      const alarmed = (await again.ops()).filter(({ state }) => state === 'ALARM')
      assert.equal(alarmed.length, 1)
      await again.assertExact(4)
    } finally {
      await again.end()
      await restored.end()
    }
  })

  test('a plan that holds the order first makes its cancellation 409; one that comes second finds it gone', async () => {
    await prepared(1)
    const [{ id: orderId } = { id: '' }] = await world.rows<{ id: string }>(
      `select id from cell.token_order where tenant_id = $1 and status = 'READYTOMINT'`,
      [world.tenantId],
    )
    const { tenantId, offeringId } = world
    const cancel = () => world.direct.run(cancelOrder, { params: { offeringId, orderId } })
    await installation.owner(async (client) => {
      await client.query('begin')
      // The plan has the order and waits here, to write its wish.
      await client.query('select from cell.chain_signer where tenant_id = $1 for update', [tenantId])
      const planned = planMint(world.settlement(), { tenantId, offeringId })
      await until('the plan waits', async () => (await waitingForLocks(installation)) === 1)
      const cancelled = cancel().then(
        () => 'cancelled',
        ({ code }: { code: string }) => code,
      )
      await until('the cancellation waits too', async () => (await waitingForLocks(installation)) === 2)
      await client.query('commit')
      await planned
      assert.equal(await cancelled, 'order_not_cancellable')
    })
    await world.settle()
    await world.assertExact(2)
    const accountId = await world.investor()
    const [other = ''] = await world.readyOrders(accountId, 1)
    await world.direct.run(cancelOrder, { params: { offeringId, orderId: other } })
    await world.round()
    assert.deepEqual(await world.statuses(), { CANCELLED: 1, MINTED: 2 })
    await world.end()
  })
})
