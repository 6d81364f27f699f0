import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { OperatorClient } from '../../../test/harness/callers/operator-client.ts'
import type { Party } from '../../../test/harness/data/fixtures.ts'
import { assertError } from '../../../test/harness/installation/api-client.ts'
import { TransferWorld } from '../../../test/harness/tokens/transfer-world.ts'
import { setLockUp } from '../lock-up/operator/set-lock-up.ts'

const one = 100_000_000n

describe('forced transfers and freezes', async () => {
  const world = await TransferWorld.create()
  after(() => world.end())
  const { offeringId } = world
  const { installation, world: base } = world.settled
  const api = await installation.startOperatorApi()
  const proposer = await OperatorClient.create(installation, api, base.tenantId, 'admin')
  const second = await OperatorClient.create(installation, api, base.tenantId, 'admin')
  const holder = await world.party(4)
  const heir = await world.party()

  const decide = (approvalId: string, verb: string, by: OperatorClient) =>
    api.call('POST', `/approvals/${approvalId}/${verb}`, { cookie: by.who.cookie })
  const balanceOf = ({ address }: Party) => world.settled.readToken<bigint>('balanceOf', [address])
  const freeze = async (units: bigint, isSettled = true, { address } = holder) => {
    const path = `/offerings/${world.offeringId}/token-actions`
    const body = { kind: 'FREEZE', wallet_address: address, units: String(units), reason: 'court order' }
    const { body: proposed } = await proposer.post(path, body)
    assert.equal((await decide(proposed.approval_id, 'confirm', second)).status, 200)
    if (!isSettled) return
    await world.settled.settle()
    await world.finalize()
  }

  test('an inheritance is moved by two persons, also during lock-up and from a suspended wallet', async () => {
    const later = new Date(Date.now() + 86_400_000).toISOString()
    await world.run(setLockUp, { offeringId }, { lock_up_until: later, reason: 'for a test' })
    await world.settled.world.rows(`update cell.wallet set status = 'SUSPENDED' where id = $1`, [holder.walletId])
    const { id } = await world.request(holder, heir, { reason: 'inheritance' })
    assertError(await proposer.post(`/transfers/${id}/force`), 409, 'transfer_not_in_state')
    const approved = await proposer.post(`/transfers/${id}/approve`)
    assert.deepEqual([approved.status, approved.body.status], [200, 'APPROVED'], approved.text)
    await world.settled.settle()
    assert.deepEqual(await world.codesOf(id), ['forced_transfer_missing'])
    const proposed = await proposer.post(`/transfers/${id}/force`)
    assert.equal(proposed.status, 202, proposed.text)
    assert.equal((await world.read(id)).chain_op_id, null, 'a proposal changes nothing')
    assertError(await decide(proposed.body.approval_id, 'confirm', proposer), 403, 'second_person_required')
    const confirmed = await decide(proposed.body.approval_id, 'confirm', second)
    assert.equal(confirmed.status, 200, confirmed.text)
    assert.deepEqual(await world.codesOf(id), [])
    assertError(await proposer.post(`/transfers/${id}/force`), 409, 'transfer_not_in_state')
    assertError(await proposer.post(`/transfers/${id}/reject`, { reason: 'late' }), 409, 'transfer_not_in_state')
    await world.settled.settle()
    await world.finalize()
    assert.equal((await world.read(id)).status, 'DONE')
    assert.deepEqual([await balanceOf(holder), await balanceOf(heir)], [one * 3n, one])
    assert.deepEqual(await world.unrequested(), [])
    await world.settled.world.rows(`update cell.wallet set status = 'ACTIVE' where id = $1`, [holder.walletId])
    await world.run(setLockUp, { offeringId }, { lock_up_until: null, reason: 'for a test' })
  })

  test('of two equal inheritances, only the one that two persons have confirmed is done', async () => {
    const [older, younger] = [
      await world.request(holder, heir, { reason: 'inheritance' }),
      await world.request(holder, heir, { reason: 'inheritance' }),
    ]
    for (const { id } of [older, younger])
      assert.equal((await proposer.post(`/transfers/${id}/approve`)).body.status, 'READY')
    const { body: proposed } = await proposer.post(`/transfers/${younger.id}/force`)
    assert.equal((await decide(proposed.approval_id, 'confirm', second)).status, 200)
    await world.settled.settle()
    await world.finalize()
    assert.deepEqual([(await world.read(older.id)).status, (await world.read(younger.id)).status], ['READY', 'DONE'])
    assert.equal((await proposer.post(`/transfers/${older.id}/reject`, { reason: 'sent once' })).status, 200)
  })

  test('a forced transfer by a token action needs no request and is not listed as unrequested', async () => {
    const path = `/offerings/${world.offeringId}/token-actions`
    const [wallet_address, to_address] = [holder.address, heir.address]
    const body = { kind: 'FORCED_TRANSFER', wallet_address, to_address, units: '1', reason: 'court order' }
    const { body: proposed } = await proposer.post(path, body)
    assert.equal((await decide(proposed.approval_id, 'confirm', second)).status, 200)
    await world.settled.settle()
    await world.finalize()
    assert.equal(await balanceOf(heir), 2n * one + 1n)
    assert.deepEqual(await world.unrequested(), [])
  })

  test('units that are frozen after a forced transfer was confirmed are not moved', async () => {
    const [testator, child] = [await world.party(1), await world.party()]
    const { id } = await world.request(testator, child, { reason: 'inheritance' })
    assert.equal((await proposer.post(`/transfers/${id}/approve`)).status, 200)
    await world.settled.settle()
    const proposed = await proposer.post(`/transfers/${id}/force`)
    assert.equal((await decide(proposed.body.approval_id, 'confirm', second)).status, 200)
    await freeze(one, false, testator)
    await world.settled.settle()
    await world.finalize()
    assert.deepEqual([await balanceOf(testator), await balanceOf(child)], [one, 0n])
    assert.deepEqual(await world.codesOf(id), ['units_frozen', 'forced_transfer_missing'])
  })

  test('a sale cannot be forced, and the proposed transfer of an inheritance does not survive a freeze', async () => {
    const sale = await world.request(holder, heir)
    assert.equal((await proposer.post(`/transfers/${sale.id}/approve`)).body.status, 'READY')
    assertError(await proposer.post(`/transfers/${sale.id}/force`), 409, 'transfer_not_in_state')
    const { id } = await world.request(holder, heir, { reason: 'inheritance' })
    assert.equal((await proposer.post(`/transfers/${id}/approve`)).body.status, 'READY')
    const proposed = await proposer.post(`/transfers/${id}/force`)
    assert.equal(proposed.status, 202, proposed.text)
    await freeze(one * 4n, false)
    assert.deepEqual(await world.codesOf(id), ['units_frozen', 'forced_transfer_missing'])
    assertError(await decide(proposed.body.approval_id, 'confirm', second), 409, 'transfer_blocked')
    await world.settled.settle()
    await world.finalize()
    assert.deepEqual(await world.codesOf(id), ['units_frozen', 'forced_transfer_missing'])
    assertError(await decide(proposed.body.approval_id, 'confirm', second), 409, 'transfer_blocked')
    assert.deepEqual(await world.codesOf(sale.id), ['units_frozen'], 'also of one that is READY')
    const earlier = [await balanceOf(holder), await balanceOf(heir)]
    await world.send(holder, heir)
    await world.finalize()
    assert.deepEqual([await balanceOf(holder), await balanceOf(heir)], earlier, 'the token itself rejects it')
    assert.equal((await world.read(sale.id)).status, 'READY')
  })

  test('an inheritance that holders send themselves during lock-up is not done, and an operator judges it', async () => {
    const [living, friend] = [await world.party(1), await world.party()]
    const { id } = await world.request(living, friend, { reason: 'inheritance' })
    assert.equal((await proposer.post(`/transfers/${id}/approve`)).status, 200)
    await world.settled.settle()
    const later = new Date(Date.now() + 86_400_000).toISOString()
    // An earlier version deployed the token, so it does not reject transfers during lock-up.
    await world.settled.world.rows('update cell.offering set token_enforces_lock_up = false')
    await world.run(setLockUp, { offeringId }, { lock_up_until: later, reason: 'for a test' })
    await world.send(living, friend)
    await world.finalize()
    assert.equal(await balanceOf(friend), one)
    assert.equal((await world.read(id)).status, 'READY')
    const [found] = await world.unrequested()
    assert.deepEqual([found?.receiver_account_id, found?.breaches], [friend.accountId, ['locked_up']])
  })
})
