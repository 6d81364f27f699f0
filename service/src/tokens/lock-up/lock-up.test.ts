import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import type { Party } from '../../../test/harness/data/fixtures.ts'
import { pluck } from '../../../test/harness/pluck.ts'
import { TransferWorld } from '../../../test/harness/tokens/transfer-world.ts'
import { approveTransfer } from '../transfers/operator/approve-transfer.ts'
import { setLockUp } from './operator/set-lock-up.ts'

const one = 100_000_000n
const day = 86_400_000

describe('a token that enforces the lock-up of its offering', async () => {
  let earlierOps = 0
  // Whole seconds, like the times in the token.
  const later = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 30 * day)

  const world = await TransferWorld.create()
  after(() => world.end())
  // There is no token yet.
  await lockUp(later)
  const seller = await world.party(12)
  const buyer = await world.party(1)
  beforeEach(async () => {
    earlierOps = 0
    earlierOps = (await opsOf()).length
  })

  function lockUp(until: Date | null) {
    const body = { lock_up_until: until?.toISOString() ?? null, reason: 'for a test' }
    return world.run(setLockUp, { offeringId: world.offeringId }, body)
  }
  /** Selects the chain ops of this test that change the lock-up. */
  const opsOf = async () => {
    const ops = await world.settled.world.rows<{ state: string; failure: string | null }>(
      `select state, failure from cell.chain_op where kind = 'SET_LOCK_UP' order by created_at`,
    )
    return ops.slice(earlierOps)
  }
  const onChain = async () => Number(await world.settled.readToken<bigint>('lockUpUntil')) * 1_000
  const balanceOf = ({ address }: Party) => world.settled.readToken<bigint>('balanceOf', [address])

  test('is deployed with it: mints arrive, and holders cannot transfer', async () => {
    assert.equal(await onChain(), later.getTime())
    assert.deepEqual(await opsOf(), [], 'no transaction but that of the deployment')
    const [offering] = await world.settled.world.rows('select token_enforces_lock_up from cell.offering')
    assert.deepEqual(offering, { token_enforces_lock_up: true })
    await world.send(seller, buyer)
    await world.finalize()
    assert.deepEqual([await balanceOf(seller), await balanceOf(buyer)], [12n * one, one])
    assert.deepEqual(await world.unrequested(), [])
  })

  test('rejects a change of wallet too, which is therefore not approved; a case of lost keys does not wait', async () => {
    const second = await world.secondWallet(seller)
    const change = await world.request(seller, second, { reason: 'change_of_wallet' })
    assert.deepEqual(await world.codesOf(change.id), ['locked_up', 'approval_missing'])
    await assert.rejects(world.run(approveTransfer, { transferId: change.id }), { code: 'transfer_blocked' })
    const lost = await world.request(seller, second, { reason: 'lost_keys' })
    assert.deepEqual(await world.codesOf(lost.id), ['approval_missing'])
  })

  test('gets each change by a chain op, and holders can transfer once it ends', async () => {
    await lockUp(null)
    await world.settled.settle()
    assert.deepEqual(await opsOf(), [{ state: 'FINAL', failure: null }])
    assert.equal(await onChain(), 0)
    await world.send(seller, buyer)
    await world.finalize()
    assert.equal(await balanceOf(buyer), 2n * one)
  })

  test('ends with the last of several changes, in whichever order they are sent', async () => {
    await lockUp(later)
    await lockUp(null)
    const last = new Date(later.getTime() + day)
    await lockUp(last)
    // The first change is sent after the others.
    await world.settled.world.rows(
      `update cell.chain_op set next_check_at = now() + interval '1 hour'
       where id = (select id from cell.chain_op where kind = 'SET_LOCK_UP' and state = 'QUEUED' order by created_at limit 1)`,
    )
    await world.settled.advanceDue()
    await world.settled.settle()
    assert.deepEqual(pluck(await opsOf(), 'state'), ['FINAL', 'FINAL', 'FINAL'])
    assert.equal(await onChain(), last.getTime())
  })

  test('a token of an earlier version gets no change of its lock-up', async () => {
    await world.settled.world.rows('update cell.offering set token_enforces_lock_up = false')
    await lockUp(null)
    assert.deepEqual(await opsOf(), [])
    await world.settled.world.rows('update cell.offering set token_enforces_lock_up = true')
  })

  test('is not changed while it is being deployed', async () => {
    await world.settled.world.rows(
      'update cell.offering set token_deployed_at = null, minting_stopped = $1 where id = $2',
      ['for a test', world.offeringId],
    )
    await assert.rejects(lockUp(later), { code: 'token_not_deployed' })
  })
})

describe('a tenant that has used an earlier version of the contracts', async () => {
  const world = await TransferWorld.create()
  after(() => world.end())

  test('gets the factory of this version before its next token', async () => {
    const { settled } = world
    // Its desk is deployed; the offering opens later.
    await settled.world.rows(`update cell.offering set status = 'DRAFT'`)
    await settled.settle()
    await settled.world.rows(`update cell.chain_op set dedupe_key = 'factory:' || chain where kind = 'DEPLOY_FACTORY'`)
    await settled.world.rows(`update cell.offering set status = 'OPEN'`)
    await world.party(1)
    const ops = await settled.world.rows<{ kind: string; state: string; before: string | null }>(
      `select op.kind, op.state, before.kind as before
       from cell.chain_op op left join cell.chain_op before on before.id = op.depends_on
       where op.kind like 'DEPLOY_%' order by op.created_at`,
    )
    assert.deepEqual(
      ops.map(({ kind, state, before: waitedFor }) => `${kind} ${state} after ${waitedFor}`),
      [
        'DEPLOY_FACTORY FINAL after null',
        'DEPLOY_DESK FINAL after DEPLOY_FACTORY',
        'DEPLOY_FACTORY FINAL after DEPLOY_DESK',
        'DEPLOY_TOKEN FINAL after DEPLOY_FACTORY',
      ],
    )
  })
})
