import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Address } from 'viem'
import { type Contract, eventsOf } from './harness/chain.ts'
import { Issuance } from './harness/issuance.ts'

const day = 86_400

describe('lock-up', () => {
  let issuance: Issuance
  let officer: Address, alice: Address, bob: Address

  before(async () => {
    issuance = await Issuance.start()
    ;({ officer, alice, bob } = issuance)
  })
  after(() => issuance.chain.stop())

  const now = async () => Number((await issuance.chain.client.getBlock()).timestamp)
  const transferReason = (token: Contract) => issuance.chain.revertReason(token, 'transfer', [bob, 10n], alice)
  const canTransfer = (token: Contract) => issuance.chain.read<boolean>(token, 'canTransfer', [alice, bob, 10n])

  test('holders cannot transfer until the time in the terms, and then they can', async () => {
    const until = (await now()) + 30 * day
    // Mints 100 to Alice.
    const token = await issuance.token({ lockUpUntil: BigInt(until) })
    assert.equal(await issuance.chain.read(token, 'lockUpUntil'), BigInt(until))
    assert.equal(await transferReason(token), `LockedUp(${until})`)
    assert.equal(await canTransfer(token), false)
    await issuance.chain.mineAt(until - 1)
    assert.equal(await transferReason(token), `LockedUp(${until})`, 'one second before')
    assert.equal(await canTransfer(token), false)
    await issuance.chain.mineAt(until)
    await issuance.chain.send(token, 'transfer', [bob, 10n], alice)
    assert.equal(await canTransfer(token), true)
  })

  test('an allowance does not bypass it; mints, burns and forced transfers do not wait', async () => {
    const token = await issuance.token({ lockUpUntil: BigInt((await now()) + day) })
    await issuance.chain.send(token, 'approve', [bob, 100n], alice)
    const reason = await issuance.chain.revertReason(token, 'transferFrom', [alice, bob, 1n], bob)
    assert.match(String(reason), /^LockedUp/)
    await issuance.mint(token, bob, 5n)
    await issuance.chain.send(token, 'forcedTransfer', [alice, bob, 20n], officer)
    await issuance.chain.send(token, 'burn', [alice, 30n], officer)
    assert.deepEqual(await issuance.balances(token, alice, bob), [50n, 25n])
  })

  test('it can be set later and ended early, by LOCK_UP_SETTER', async () => {
    const token = await issuance.token()
    assert.equal(await transferReason(token), undefined)
    const until = BigInt((await now()) + day)
    const receipt = await issuance.chain.send(token, 'setLockUp', [until], officer)
    assert.deepEqual(eventsOf(receipt), [`LockUpSet(${until})`])
    assert.equal(await transferReason(token), `LockedUp(${until})`)
    await issuance.chain.send(token, 'setLockUp', [0n], officer)
    await issuance.chain.send(token, 'transfer', [bob, 10n], alice)
  })
})
