import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type Address, type Hash, maxUint256, zeroAddress, zeroHash } from 'viem'
import { type Contract, eventsOf } from './harness/chain.ts'
import { Issuance, type Role, roleOf } from './harness/issuance.ts'

let issuance: Issuance
let token: Contract
let operator: Address, officer: Address, alice: Address, bob: Address, carol: Address, stranger: Address

const send = (from: Address, name: string, ...args: unknown[]) => issuance.chain.send(token, name, args, from)
const revertReason = (from: Address, name: string, ...args: unknown[]) =>
  issuance.chain.revertReason(token, name, args, from)
const assertReverts = async (reason: string, ...call: Parameters<typeof revertReason>) =>
  assert.equal(await revertReason(...call), reason)
const lacks = (account: Address, role: Hash) => `AccessControlUnauthorizedAccount(${account}, ${role})`
const read = <Result>(name: string, ...args: unknown[]) => issuance.chain.read<Result>(token, name, args)
const balances = (...accounts: Address[]) => issuance.balances(token, ...accounts)
const frozen = (account: Address) => read<bigint>('getFrozenTokens', account)

describe('the permissioned token', () => {
  before(async () => {
    issuance = await Issuance.start()
    ;({ operator, officer, alice, bob, carol, stranger } = issuance)
  })
  after(() => issuance.chain.stop())
  beforeEach(async () => {
    token = await issuance.token()
  })

  describe('token metadata', () => {
    test('has the name, symbol, decimals and supply of its offering', async () => {
      assert.deepEqual(
        await Promise.all(['name', 'symbol', 'decimals', 'totalSupply', 'paused'].map((name) => read(name))),
        ['Harbour Bond 2031', 'HARB', 8, 100n, false],
      )
    })

    test('supportsInterface returns true for ERC-7943 fungible and only for implemented interfaces', async () => {
      const ids = ['0x3edbb4c4', '0x01ffc9a7', '0x36372b07', '0x7965db0b', '0x29388973', '0xffffffff']
      const results = await Promise.all(ids.map((id) => read<boolean>('supportsInterface', id)))
      // uRWA, ERC-165, ERC-20, AccessControl; not the uRWA draft, nor 0xffffffff, which ERC-165 requires to be false.
      assert.deepEqual(results, [true, true, true, true, false, false])
    })
  })

  describe('roles', () => {
    const guarded: [Role, string, unknown[]][] = [
      ['MINTER', 'mint', [zeroAddress, 1n]],
      ['REGISTRAR', 'register', [[zeroAddress]]],
      ['REGISTRAR', 'unregister', [[zeroAddress]]],
      ['FREEZER', 'setFrozenTokens', [zeroAddress, 1n]],
      ['FORCE_TRANSFER', 'forcedTransfer', [zeroAddress, zeroAddress, 1n]],
      ['BURNER', 'burn', [zeroAddress, 1n]],
      ['PAUSER', 'pause', []],
      ['PAUSER', 'unpause', []],
      ['LOCK_UP_SETTER', 'setLockUp', [1n]],
      ['CAP_SETTER', 'setCap', [1n]],
    ]
    for (const [role, name, args] of guarded)
      test(`${name} needs the role ${role}; not even the admin can call it without`, async () => {
        for (const account of [stranger, issuance.admin, operator])
          await assertReverts(lacks(account, roleOf(role)), account, name, ...args)
        // No other role is sufficient.
        const others = guarded.filter(([other]) => other !== role)
        for (const [other] of others) await send(issuance.admin, 'grantRole', roleOf(other), carol)
        await assertReverts(lacks(carol, roleOf(role)), carol, name, ...args)
        await send(issuance.admin, 'grantRole', roleOf(role), carol)
        assert.doesNotMatch(String(await revertReason(carol, name, ...args)), /AccessControl/)
      })

    test('only the admin can grant and revoke roles', async () => {
      const args = [roleOf('MINTER'), stranger]
      await assertReverts(lacks(stranger, zeroHash), stranger, 'grantRole', ...args)
      await send(issuance.admin, 'grantRole', ...args)
      await send(stranger, 'mint', bob, 1n)
      await send(issuance.admin, 'revokeRole', ...args)
      assert.match(String(await revertReason(stranger, 'mint', bob, 1n)), /AccessControlUnauthorizedAccount/)
    })
  })

  describe('the allow-list', () => {
    beforeEach(async () => {
      await send(issuance.admin, 'grantRole', roleOf('REGISTRAR'), officer)
    })

    test('only registered accounts can send and receive', async () => {
      assert.deepEqual(await eligibility(carol), [false, false])
      await assertReverts(`ERC7943CannotReceive(${carol})`, alice, 'transfer', carol, 1n)
      await send(officer, 'register', [carol])
      assert.deepEqual(await eligibility(carol), [true, true])
      await send(alice, 'transfer', carol, 1n)
      await send(officer, 'unregister', [carol])
      await assertReverts(`ERC7943CannotSend(${carol})`, carol, 'transfer', bob, 1n)
      assert.equal(await read('canTransfer', carol, bob, 1n), false)
      assert.equal(await read('canTransfer', bob, carol, 1n), false)
      assert.deepEqual(await balances(alice, carol), [99n, 1n])
    })

    test('an allowance does not bypass it', async () => {
      await send(alice, 'approve', stranger, 60n)
      await assertReverts(`ERC7943CannotReceive(${carol})`, stranger, 'transferFrom', alice, carol, 60n)
      await send(stranger, 'transferFrom', alice, bob, 60n)
      assert.match(String(await revertReason(stranger, 'transferFrom', alice, bob, 1n)), /^ERC20InsufficientAllowance/)
      assert.deepEqual(await balances(alice, bob), [40n, 60n])
    })

    test('a batch emits events only for changes, so that it can be sent again', async () => {
      assert.deepEqual(eventsOf(await send(officer, 'register', [alice, carol])), [`Registered(${carol}, true)`])
      assert.deepEqual(eventsOf(await send(officer, 'register', [alice, carol])), [])
      assert.deepEqual(eventsOf(await send(officer, 'unregister', [carol, carol])), [`Registered(${carol}, false)`])
    })

    test('a batch has 1 to 100 accounts, and never the zero address', async () => {
      const many = Array.from({ length: 101 }, () => carol)
      for (const name of ['register', 'unregister']) {
        await assertReverts('BatchOutOfRange(0)', officer, name, [])
        await assertReverts('BatchOutOfRange(101)', officer, name, many)
        await assertReverts('ZeroAddress()', officer, name, [carol, zeroAddress])
        assert.equal(await revertReason(officer, name, many.slice(1)), undefined)
      }
    })

    const eligibility = (account: Address) =>
      Promise.all([read<boolean>('canSend', account), read<boolean>('canReceive', account)])
  })

  describe('minting', () => {
    beforeEach(async () => {
      await send(issuance.admin, 'grantRole', roleOf('MINTER'), officer)
    })

    test('adds to the balance and to the supply', async () => {
      assert.deepEqual(eventsOf(await send(officer, 'mint', bob, 5n)), [`Transfer(${zeroAddress}, ${bob}, 5)`])
      assert.deepEqual([...(await balances(bob)), await read('totalSupply')], [5n, 105n])
    })

    test('to an unregistered account, to the zero address, or above the cap reverts', async () => {
      await assertReverts(`ERC7943CannotReceive(${carol})`, officer, 'mint', carol, 1n)
      await assertReverts(`ERC20InvalidReceiver(${zeroAddress})`, officer, 'mint', zeroAddress, 1n)
      await assertReverts(`CapExceeded(${issuance.terms().cap}, 100, ${maxUint256})`, officer, 'mint', bob, maxUint256)
    })
  })

  describe('freezing', () => {
    test('frozen tokens cannot be transferred, and the rest can', async () => {
      assert.deepEqual(eventsOf(await send(officer, 'setFrozenTokens', alice, 70n)), [`Frozen(${alice}, 70)`])
      assert.equal(await frozen(alice), 70n)
      await assertReverts(`ERC7943InsufficientUnfrozenBalance(${alice}, 31, 30)`, alice, 'transfer', bob, 31n)
      assert.equal(await read('canTransfer', alice, bob, 31n), false)
      assert.equal(await read('canTransfer', alice, bob, 30n), true)
      await send(alice, 'transfer', bob, 30n)
      await assertReverts(`ERC7943InsufficientUnfrozenBalance(${alice}, 1, 0)`, alice, 'transfer', bob, 1n)
    })

    test('an allowance does not unfreeze', async () => {
      await send(alice, 'approve', stranger, maxUint256)
      await send(officer, 'setFrozenTokens', alice, 100n)
      const expected = `ERC7943InsufficientUnfrozenBalance(${alice}, 1, 0)`
      await assertReverts(expected, stranger, 'transferFrom', alice, bob, 1n)
    })

    test('an amount above the balance is reverted by ERC-20, frozen or not', async () => {
      assert.equal(await read('canTransfer', alice, bob, 101n), true)
      await send(officer, 'setFrozenTokens', alice, 70n)
      assert.equal(await read('canTransfer', alice, bob, 101n), true)
      await assertReverts(`ERC20InsufficientBalance(${alice}, 100, 101)`, alice, 'transfer', bob, 101n)
    })

    test('freezing more than the balance also freezes tokens received later; the last call counts', async () => {
      await send(officer, 'setFrozenTokens', alice, 150n)
      await issuance.mint(token, alice, 60n)
      await assertReverts(`ERC7943InsufficientUnfrozenBalance(${alice}, 11, 10)`, alice, 'transfer', bob, 11n)
      await send(alice, 'transfer', bob, 10n)
      await send(officer, 'setFrozenTokens', alice, maxUint256)
      assert.equal(await read('canTransfer', alice, bob, 1n), false)
      await send(officer, 'setFrozenTokens', alice, 0n)
      await send(alice, 'transfer', bob, 150n)
      await assertReverts('ZeroAddress()', officer, 'setFrozenTokens', zeroAddress, 1n)
    })
  })

  describe('forced transfer', () => {
    test('moves frozen tokens, and unfreezes only those before it moves them', async () => {
      await send(officer, 'setFrozenTokens', alice, 70n)
      assert.deepEqual(eventsOf(await send(officer, 'forcedTransfer', alice, bob, 30n)), [
        `Transfer(${alice}, ${bob}, 30)`,
        `ForcedTransfer(${alice}, ${bob}, 30)`,
      ])
      assert.deepEqual(eventsOf(await send(officer, 'forcedTransfer', alice, bob, 20n)), [
        `Frozen(${alice}, 50)`,
        `Transfer(${alice}, ${bob}, 20)`,
        `ForcedTransfer(${alice}, ${bob}, 20)`,
      ])
      assert.deepEqual([...(await balances(alice, bob)), await frozen(alice)], [50n, 50n, 50n])
    })

    test('an amount frozen beyond the balance stays frozen', async () => {
      await send(officer, 'setFrozenTokens', alice, 150n)
      await send(officer, 'forcedTransfer', alice, bob, 40n)
      assert.equal(await frozen(alice), 110n)
      await issuance.mint(token, alice, 60n)
      assert.deepEqual([...(await balances(alice)), await frozen(alice)], [120n, 110n])
    })

    test('works while paused and from unregistered accounts, but not to unregistered accounts', async () => {
      await send(issuance.admin, 'grantRole', roleOf('REGISTRAR'), officer)
      await send(officer, 'unregister', [alice])
      await send(officer, 'pause')
      await assertReverts(`ERC7943CannotReceive(${carol})`, officer, 'forcedTransfer', alice, carol, 1n)
      await assertReverts(`ERC7943CannotReceive(${zeroAddress})`, officer, 'forcedTransfer', alice, zeroAddress, 1n)
      await send(officer, 'forcedTransfer', alice, bob, 100n)
      assert.deepEqual(await balances(alice, bob), [0n, 100n])
    })

    test('to the sender reverts, because it would only unfreeze', async () => {
      await send(officer, 'setFrozenTokens', alice, 100n)
      const expected = `ERC7943CannotTransfer(${alice}, ${alice}, 100)`
      await assertReverts(expected, officer, 'forcedTransfer', alice, alice, 100n)
    })

    test('from the zero address or above the balance reverts', async () => {
      await assertReverts(`ERC20InvalidSender(${zeroAddress})`, officer, 'forcedTransfer', zeroAddress, bob, 1n)
      await send(officer, 'setFrozenTokens', alice, 150n)
      await assertReverts(`ERC20InsufficientBalance(${alice}, 100, 101)`, officer, 'forcedTransfer', alice, bob, 101n)
    })
  })

  describe('pause', () => {
    test('stops transfers and mints until unpaused', async () => {
      await send(issuance.admin, 'grantRole', roleOf('MINTER'), officer)
      await assertReverts('ExpectedPause()', officer, 'unpause')
      assert.deepEqual(eventsOf(await send(officer, 'pause')), [`Paused(${officer})`])
      await assertReverts('EnforcedPause()', officer, 'pause')
      await assertReverts('EnforcedPause()', alice, 'transfer', bob, 1n)
      await assertReverts('EnforcedPause()', officer, 'mint', bob, 1n)
      assert.equal(await read('canTransfer', alice, bob, 1n), false)
      await send(officer, 'unpause')
      assert.equal(await read('canTransfer', alice, bob, 1n), true)
      await send(alice, 'transfer', bob, 1n)
      assert.deepEqual(await balances(alice, bob), [99n, 1n])
    })
  })

  describe('burning', () => {
    test('reduces the balance and the supply, frozen tokens last, also while paused', async () => {
      await send(officer, 'setFrozenTokens', alice, 70n)
      await send(officer, 'pause')
      assert.deepEqual(eventsOf(await send(officer, 'burn', alice, 30n)), [`Transfer(${alice}, ${zeroAddress}, 30)`])
      assert.deepEqual(eventsOf(await send(officer, 'burn', alice, 20n)), [
        `Frozen(${alice}, 50)`,
        `Transfer(${alice}, ${zeroAddress}, 20)`,
      ])
      assert.deepEqual([...(await balances(alice)), await frozen(alice), await read('totalSupply')], [50n, 50n, 50n])
    })

    test('above the balance or from the zero address reverts', async () => {
      await assertReverts(`ERC20InsufficientBalance(${alice}, 100, 101)`, officer, 'burn', alice, 101n)
      await assertReverts(`ERC20InvalidSender(${zeroAddress})`, officer, 'burn', zeroAddress, 1n)
    })
  })
})
