import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type Address, maxUint256, zeroAddress, zeroHash } from 'viem'
import { type Contract, eventsOf } from './harness/chain.ts'
import { Issuance, refOf, roleOf } from './harness/issuance.ts'

let issuance: Issuance
let token: Contract
let admin: Address, officer: Address, alice: Address, bob: Address, carol: Address

describe('the cap and the admins', () => {
  before(async () => {
    issuance = await Issuance.start()
    ;({ admin, officer, alice, bob, carol } = issuance)
  })
  after(() => issuance.chain.stop())
  beforeEach(async () => {
    // Alice has 100.
    token = await issuance.token()
  })

  describe('the cap', () => {
    const setCap = (cap: bigint) => issuance.chain.send(token, 'setCap', [cap], officer)
    const revertReason = (name: string, ...args: unknown[]) => issuance.chain.revertReason(token, name, args, officer)
    const mintReason = (...amounts: bigint[]) => {
      const orders = amounts.map((amount, index) => ({ ref: refOf(`cap ${index}`), to: bob, amount }))
      return issuance.chain.revertReason(issuance.desk, 'mint', [token.address, orders], issuance.operator)
    }

    test('a mint up to the cap succeeds, and one beyond it reverts, alone or in a batch', async () => {
      assert.deepEqual(eventsOf(await setCap(150n)), ['CapSet(150)'])
      assert.equal(await mintReason(51n), 'CapExceeded(150, 100, 51)')
      assert.equal(await mintReason(30n, 21n), 'CapExceeded(150, 130, 21)')
      assert.equal(await mintReason(maxUint256), `CapExceeded(150, 100, ${maxUint256})`)
      await issuance.mint(token, bob, 50n)
      assert.equal(await mintReason(1n), 'CapExceeded(150, 150, 1)')
    })

    test('a burn makes room under the cap, and a higher cap too', async () => {
      await setCap(100n)
      assert.equal(await mintReason(1n), 'CapExceeded(100, 100, 1)')
      await issuance.chain.send(token, 'burn', [alice, 10n], officer)
      await issuance.mint(token, bob, 10n)
      await setCap(101n)
      await issuance.mint(token, bob, 1n)
    })

    test('it is never below the supply', async () => {
      assert.equal(await revertReason('setCap', 99n), 'CapBelowSupply(99, 100)')
      await setCap(100n)
      assert.equal(await issuance.chain.read(token, 'cap'), 100n)
    })
  })

  describe('the admin of a token and of a desk', () => {
    const twoDays = 2 * 86_400

    for (const name of ['token', 'desk'] as const)
      test(`another account becomes admin of a ${name} only after two days, and only if it accepts`, async () => {
        const contract = name === 'token' ? token : issuance.desk
        const send = (from: Address, call: string, ...args: unknown[]) =>
          issuance.chain.send(contract, call, args, from)
        const reason = (from: Address, call: string, ...args: unknown[]) =>
          issuance.chain.revertReason(contract, call, args, from)
        const enforced = 'AccessControlEnforcedDefaultAdminRules()'
        assert.equal(await reason(admin, 'grantRole', zeroHash, carol), enforced)
        assert.equal(await reason(admin, 'revokeRole', zeroHash, admin), enforced)
        await send(admin, 'beginDefaultAdminTransfer', carol)
        await issuance.chain.passTime(twoDays - 600)
        assert.match(
          String(await reason(carol, 'acceptDefaultAdminTransfer')),
          /^AccessControlEnforcedDefaultAdminDelay/,
        )
        await issuance.chain.passTime(601)
        assert.match(String(await reason(bob, 'acceptDefaultAdminTransfer')), /^AccessControlInvalidDefaultAdmin/)
        assert.equal(await issuance.chain.read(contract, 'defaultAdmin'), admin)
        await send(carol, 'acceptDefaultAdminTransfer')
        assert.equal(await issuance.chain.read(contract, 'defaultAdmin'), carol)
        const denied = `AccessControlUnauthorizedAccount(${admin}, ${zeroHash})`
        assert.equal(await reason(admin, 'grantRole', roleOf('PAUSER'), bob), denied)
      })

    test('a token whose admin is not the operator still mints and registers', async () => {
      const offering = issuance.newOffering()
      const { chain, factory, desk, operator } = issuance
      await chain.send(factory, 'deploy', [desk.address, offering, issuance.terms({ admin: carol })], operator)
      const address = await chain.read<Address>(factory, 'tokenOf', [desk.address, offering])
      const separate = { address, abi: token.abi }
      await issuance.register(separate, bob)
      await issuance.mint(separate, bob, 5n)
      assert.deepEqual(await issuance.balances(separate, bob, zeroAddress), [5n, 0n])
      const grant = [roleOf('PAUSER'), operator]
      const denied = `AccessControlUnauthorizedAccount(${operator}, ${zeroHash})`
      assert.equal(await chain.revertReason(separate, 'grantRole', grant, operator), denied)
      await chain.send(separate, 'grantRole', grant, carol)
      await chain.send(separate, 'pause', [], operator)
    })
  })
})
