import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Address } from 'viem'
import { WalletOwner } from '../../../test/harness/chain/wallet-owner.ts'
import { RegistrationWorld } from '../../../test/harness/tokens/registration-world.ts'
import { tokenCall } from '../chain/contracts.ts'

describe('registrations of wallets with tokens', async () => {
  const world = await RegistrationWorld.create()
  after(() => world.end())
  const ada = await world.investor()
  const bob = await world.investor()
  for (const { accountId } of [ada, bob]) await world.settlement.readyOrders(accountId, 1)
  await world.settle()

  /** Returns true if a transfer would succeed. */
  async function canTransfer(from: Address, to: Address): Promise<boolean> {
    const call = tokenCall(await world.settled.token(), 'transfer', [to, 1n])
    return world.settled.chain.client.call({ account: from, ...call }).then(
      () => true,
      () => false,
    )
  }
  test('a suspended wallet neither sends nor receives once the op is final, and does both after it is resumed', async () => {
    assert.deepEqual(await world.permissions(ada), [true, true])
    await world.move(ada, 'suspend')
    await world.settle()
    assert.deepEqual(await world.permissions(ada), [false, false])
    assert.equal(await canTransfer(ada.address, bob.address), false)
    assert.equal(await canTransfer(bob.address, ada.address), false)
    await world.move(ada, 'resume')
    await world.settle()
    assert.deepEqual(await world.permissions(ada), [true, true])
    assert.equal(await canTransfer(ada.address, bob.address), true)
    assert.equal(await canTransfer(bob.address, ada.address), true)
  })

  test('an account that loses its approval loses its registrations, until it is approved again', async () => {
    await world.decide(ada, 'REJECTED')
    await world.settle()
    assert.deepEqual(await world.permissions(ada), [false, false])
    await world.decide(ada, 'APPROVED')
    await world.settle()
    assert.deepEqual(await world.permissions(ada), [true, true])
  })

  test('a retired wallet is unregistered, until its owner proves it again', async () => {
    const accountId = await world.account()
    const owner = new WalletOwner()
    const wallet = await owner.register(world.operator, accountId, { blockchain: 'anvil' })
    assert.equal((await wallet.prove()).status, 200)
    await world.settlement.readyOrders(accountId, 1)
    await world.settle()
    const carl = { accountId, walletId: wallet.id, address: owner.address as Address }
    assert.deepEqual(await world.permissions(carl), [true, true])
    await world.move(carl, 'retire')
    await world.settle()
    assert.deepEqual(await world.permissions(carl), [false, false])
    await wallet.reopen()
    assert.equal((await wallet.prove()).status, 200)
    await world.settle()
    assert.deepEqual(await world.permissions(carl), [true, true])
  })

  test('20 changes before the op is signed cost one transaction if the final status differs, and none if it does not', async () => {
    const [ops, transactions] = [await world.opCount(), await world.transactionCount()]
    for (let change = 0; change < 20; change += 1) {
      await world.move(ada, change % 2 === 0 ? 'suspend' : 'resume')
      await world.runChecks()
    }
    await world.settle()
    assert.deepEqual(await world.opsAfter(ops), ['UNREGISTER_WALLETS CANCELLED'])
    assert.equal(await world.transactionCount(), transactions)
    for (let change = 0; change < 21; change += 1) {
      await world.move(ada, change % 2 === 0 ? 'suspend' : 'resume')
      await world.runChecks()
    }
    await world.settle()
    assert.deepEqual(await world.opsAfter(ops + 1), ['UNREGISTER_WALLETS FINAL'])
    assert.equal(await world.transactionCount(), transactions + 1)
    assert.deepEqual(await world.permissions(ada), [false, false])
  })

  test('a change while the op is in flight takes one more op, after the first is final', async () => {
    const ops = await world.opCount()
    await world.move(ada, 'resume')
    await world.runChecks()
    await world.settled.advanceOps()
    assert.deepEqual(await world.opsAfter(ops), ['REGISTER_WALLETS SIGNED'])
    for (const to of ['suspend', 'resume', 'suspend'] as const) {
      await world.move(ada, to)
      await world.runChecks()
    }
    assert.equal((await world.opsAfter(ops)).length, 1)
    await world.settle()
    assert.deepEqual(await world.opsAfter(ops), ['REGISTER_WALLETS FINAL', 'UNREGISTER_WALLETS FINAL'])
    assert.deepEqual(await world.permissions(ada), [false, false])
    await world.move(ada, 'resume')
    await world.settle()
  })

  test('the registration before a mint leaves out a wallet that was suspended meanwhile', async () => {
    const [dora, emil] = [await world.investor(), await world.investor()]
    await world.settlement.readyOrders(dora.accountId, 1)
    await world.settlement.readyOrders(emil.accountId, 1)
    const ops = await world.opCount()
    await world.plan()
    assert.deepEqual(await world.opsAfter(ops), ['REGISTER_WALLETS QUEUED'])
    await world.move(dora, 'suspend')
    await world.settle()
    assert.deepEqual(await world.permissions(dora), [false, false])
    assert.deepEqual(await world.permissions(emil), [true, true])
    assert.deepEqual(await world.orderStatuses(dora), ['PAID'])
    assert.deepEqual(await world.orderStatuses(emil), ['MINTED'])
    await world.move(dora, 'resume')
    await world.settle()
    assert.deepEqual(await world.permissions(dora), [true, true])
    assert.deepEqual(await world.orderStatuses(dora), ['MINTED'])
  })

  test('a wallet that is suspended during the dry run of its registration is not registered', async () => {
    const finn = await world.investor()
    await world.settlement.readyOrders(finn.accountId, 1)
    const [ops, transactions] = [await world.opCount(), await world.transactionCount()]
    await world.plan()
    const context = world.settlement.context()
    const chain = context.chains.get('anvil')
    assert.ok(chain)
    const estimate = chain.estimateGas.bind(chain)
    chain.estimateGas = async (...args) => {
      await world.move(finn, 'suspend')
      return estimate(...args)
    }
    await world.settled.advanceOps(context)
    assert.deepEqual(await world.opsAfter(ops), ['REGISTER_WALLETS QUEUED'])
    await world.settle()
    assert.deepEqual(await world.opsAfter(ops), ['REGISTER_WALLETS CANCELLED'])
    assert.equal(await world.transactionCount(), transactions)
  })

  test('a ready order whose wallet has been suspended goes back to PAID, and nothing is sent', async () => {
    await world.settlement.readyOrders(bob.accountId, 1)
    const ops = await world.opCount()
    assert.deepEqual(await world.orderStatuses(bob), ['MINTED', 'READYTOMINT'])
    // The checks, which this enqueues, have not run yet.
    await world.move(bob, 'suspend')
    await world.plan()
    assert.deepEqual(await world.orderStatuses(bob), ['MINTED', 'PAID'])
    assert.equal(await world.opCount(), ops)
    await world.move(bob, 'resume')
    await world.settle()
    assert.deepEqual(await world.orderStatuses(bob), ['MINTED', 'MINTED'])
    assert.deepEqual(await world.opsAfter(ops), ['MINT FINAL'])
  })

  test('an order whose wallet is unregistered before its mint is signed is PAID, not on hold', async () => {
    const [orderId = ''] = await world.settlement.readyOrders(bob.accountId, 1)
    await world.plan()
    assert.deepEqual(await world.orderStatuses(bob), ['MINTED', 'MINTED', 'MINTING'])
    await world.move(bob, 'suspend')
    await world.runChecks()
    await world.settleWithout('MINT')
    assert.deepEqual(await world.permissions(bob), [false, false])
    await world.settle()
    assert.deepEqual(await world.orderStatuses(bob), ['MINTED', 'MINTED', 'PAID'])
    await world.move(bob, 'resume')
    await world.settle()
    assert.deepEqual(await world.orderStatuses(bob), ['MINTED', 'MINTED', 'MINTED'])
    const [order] = await world.settlement.rows('select mint_failures from cell.token_order where id = $1', [orderId])
    assert.deepEqual(order, { mint_failures: 0 })
  })

  test('no mint is planned while an op changes the registration of the wallet', async () => {
    await world.move(bob, 'suspend')
    await world.runChecks()
    await world.settled.advanceOps()
    await world.move(bob, 'resume')
    await world.settlement.readyOrders(bob.accountId, 1)
    await world.plan()
    assert.equal((await world.orderStatuses(bob)).includes('MINTING'), false)
    await world.settle()
    assert.deepEqual(new Set(await world.orderStatuses(bob)), new Set(['MINTED']))
  })

  test('a cancelled op is enqueued again as long as the wallet requires it', async () => {
    const ops = await world.opCount()
    await world.move(bob, 'suspend')
    await world.runChecks()
    const op = (await world.settlement.ops()).at(-1)
    assert.equal((await world.operator.post(`/chain-ops/${op?.id}/cancel`)).status, 200)
    await world.settle()
    assert.deepEqual(await world.opsAfter(ops), ['UNREGISTER_WALLETS CANCELLED', 'UNREGISTER_WALLETS FINAL'])
    assert.deepEqual(await world.permissions(bob), [false, false])
  })

  test('after a reverted op the next change of the wallet enqueues another one', async () => {
    await world.move(bob, 'resume')
    await world.runChecks()
    const fail = `update cell.chain_op set state = 'REVERTED', failure = 'x' where state = 'QUEUED' returning id`
    assert.equal((await world.settlement.rows(fail)).length, 1)
    await world.settle()
    assert.deepEqual(await world.permissions(bob), [false, false])
    const ops = await world.opCount()
    for (const to of ['suspend', 'resume'] as const) {
      await world.move(bob, to)
      await world.runChecks()
    }
    await world.settle()
    assert.deepEqual(await world.opsAfter(ops), ['REGISTER_WALLETS FINAL'])
    assert.deepEqual(await world.permissions(bob), [true, true])
  })

  test('after an ALARM, when the registration is unknown, a suspended wallet is unregistered anyway', async () => {
    const gwen = await world.investor()
    await world.settlement.readyOrders(gwen.accountId, 1)
    await world.plan()
    // The registration happens, and the service does not know.
    await world.settled.advanceOps()
    await world.settled.chain.mine(1)
    await world.settlement.rows(`update cell.chain_op set state = 'ALARM' where state = 'SIGNED'`)
    assert.deepEqual(await world.permissions(gwen), [true, true])
    await world.move(gwen, 'suspend')
    await world.settle()
    assert.deepEqual(await world.permissions(gwen), [false, false])
  })
})
