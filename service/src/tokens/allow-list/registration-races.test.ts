import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { RegistrationWorld } from '../../../test/harness/tokens/registration-world.ts'
import { until, waitingForLocks } from '../../../test/harness/wait.ts'
import { findChainOp } from '../chain-ops/chain-op.sql.ts'
import { refreshCall } from '../chain-ops/refresh-call.ts'

describe('registrations and wallets that change at the same time', async () => {
  const world = await RegistrationWorld.create()
  after(() => world.end())
  // Deploys the token.
  await world.settlement.readyOrders((await world.investor()).accountId, 1)
  await world.settle()

  test('a check waits for a registration that is ending, so that a suspension in between is not lost', async () => {
    const [hugo, ida] = [await world.investor(), await world.investor()]
    for (const { accountId } of [hugo, ida]) await world.settlement.readyOrders(accountId, 1)
    await world.plan()
    await world.settled.advanceOps()
    await world.settled.chain.mine(1)
    await world.settled.advanceOps()
    await world.move(hugo, 'suspend')
    await world.runChecks()
    assert.equal((await world.settlement.ops()).at(-1)?.state, 'MINED')
    await world.settled.chain.mine(6)
    const { installation } = world.settled
    const waiting = (count: number) => async () => (await waitingForLocks(installation)) === count
    await installation.owner(async (client) => {
      await client.query('begin')
      // The end of the registration waits for this lock to enqueue the op that unregisters Hugo.
      await client.query('select from cell.chain_signer for update')
      const ending = world.settled.advanceOps()
      await until('the op ends', waiting(1))
      await world.move(ida, 'suspend')
      const checking = world.runChecks()
      await until('the check waits', waiting(2))
      await client.query('commit')
      await Promise.all([ending, checking])
    })
    await world.settle()
    assert.deepEqual(await world.permissions(hugo), [false, false])
    assert.deepEqual(await world.permissions(ida), [false, false])
  })

  test('a registration waits for a check before it leaves out a wallet, so that a resumption in between is not lost', async () => {
    const juno = await world.investor()
    await world.settlement.readyOrders(juno.accountId, 1)
    await world.plan()
    await world.runChecks()
    await world.move(juno, 'suspend')
    const { installation } = world.settled
    const waiting = (count: number) => async () => (await waitingForLocks(installation)) === count
    await installation.owner(async (client) => {
      await client.query('begin')
      await client.query('select from cell.token_holder where wallet_id = $1 for update', [juno.walletId])
      const checking = world.runChecks()
      await until('the check waits', waiting(1))
      const advancing = world.settled.advanceOps()
      await until('the registration waits', waiting(2))
      await world.move(juno, 'resume')
      await client.query('commit')
      await Promise.all([checking, advancing])
    })
    // The check of the resumption ran before: it found an op that was open.
    await world.dropChecks('check-registrations')
    await world.settle()
    assert.deepEqual(await world.permissions(juno), [true, true])
  })

  test('the call of an op that another worker has signed is never replaced', async () => {
    const ada = await world.investor()
    await world.settlement.readyOrders(ada.accountId, 1)
    await world.settle()
    await world.move(ada, 'suspend')
    await world.runChecks()
    const { tenantId, settlement } = world
    const opId = (await settlement.ops()).at(-1)?.id ?? ''
    const queued = await settlement.direct.write((tx) => findChainOp(tx, { tenantId, opId }))
    assert.ok(queued)
    await world.settled.advanceOps()
    await world.move(ada, 'resume')
    const refreshed = settlement.direct.write((tx) => refreshCall(tx, settlement.context(), queued))
    await assert.rejects(refreshed, /reserved twice/)
    await world.settle()
    assert.deepEqual(await world.permissions(ada), [true, true])
  })
})
