import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import {
  type Address,
  encodeDeployData,
  encodeFunctionData,
  padHex,
  toFunctionSelector,
  toHex,
  zeroAddress,
} from 'viem'
import { mintDesk } from './harness/artifacts.ts'
import { type Contract, eventsOf } from './harness/chain.ts'
import { Issuance, refOf, roleOf } from './harness/issuance.ts'

interface Order {
  ref: `0x${string}`
  to: Address
  amount: bigint
}

let issuance: Issuance
let token: Contract
let admin: Address, operator: Address, alice: Address, bob: Address, carol: Address, stranger: Address

const order = (ref: string, to: Address, amount: bigint): Order => ({ ref: refOf(ref), to, amount })
const mint = (...orders: Order[]) => issuance.chain.send(issuance.desk, 'mint', [token.address, orders], operator)
const revertReason = (orders: Order[], from = operator, of = token.address) =>
  issuance.chain.revertReason(issuance.desk, 'mint', [of, orders], from)
const minted = (ref: string, of = token) =>
  issuance.chain.read<bigint>(issuance.desk, 'minted', [of.address, refOf(ref)])
const supply = () => issuance.chain.read<bigint>(token, 'totalSupply')
const mintedEvent = ({ ref, to, amount }: Order) => `OrderMinted(${token.address}, ${ref}, ${to}, ${amount})`
const transferEvent = ({ to, amount }: Order) => `Transfer(${zeroAddress}, ${to}, ${amount})`

describe('the mint desk', () => {
  before(async () => {
    issuance = await Issuance.start()
    ;({ admin, operator, alice, bob, carol, stranger } = issuance)
  })
  after(() => issuance.chain.stop())
  beforeEach(async () => {
    token = await issuance.token()
  })

  describe('minting orders', () => {
    test('each order is minted and recorded, and emits an event', async () => {
      const orders = [order('1', alice, 5n), order('2', bob, 7n), order('3', bob, 1n)]
      const events = eventsOf(await mint(...orders))
      assert.deepEqual(
        events,
        orders.flatMap((each) => [transferEvent(each), mintedEvent(each)]),
      )
      assert.deepEqual(await issuance.balances(token, alice, bob), [105n, 8n])
      assert.deepEqual([await minted('1'), await minted('2'), await minted('4')], [5n, 7n, 0n])
    })

    test('an order that is sent again is not minted again, alone or in a batch with new ones', async () => {
      await mint(order('1', alice, 5n))
      assert.deepEqual(eventsOf(await mint(order('1', alice, 5n))), [])
      const fresh = order('2', bob, 7n)
      const events = eventsOf(await mint(order('1', alice, 5n), fresh, order('1', alice, 5n)))
      assert.deepEqual(events, [transferEvent(fresh), mintedEvent(fresh)])
      assert.equal(await supply(), 112n)
    })

    test('only the first order with a reference is minted, in the same batch or later with other contents', async () => {
      assert.deepEqual(eventsOf(await mint(order('1', alice, 5n), order('1', bob, 9n))).length, 2)
      assert.deepEqual(eventsOf(await mint(order('1', bob, 9n))), [])
      assert.deepEqual([await minted('1'), await supply()], [5n, 105n])
    })

    test('the same reference with another token is another order', async () => {
      await mint(order('1', alice, 5n))
      const first = token
      token = await issuance.token()
      await mint(order('1', alice, 6n))
      assert.deepEqual([await minted('1', first), await minted('1')], [5n, 6n])
    })

    test('one unregistered receiver reverts the whole batch, with its address in the error', async () => {
      const orders = [order('1', alice, 5n), order('2', carol, 7n), order('3', bob, 1n)]
      assert.equal(await revertReason(orders), `ERC7943CannotReceive(${carol})`)
      // Sent anyway, with enough gas, it reverts and changes nothing.
      await issuance.chain.sendReverting(issuance.desk, 'mint', [token.address, orders], operator)
      assert.deepEqual([await minted('1'), await supply()], [0n, 100n])
    })

    test('an order for the zero address or of zero tokens reverts', async () => {
      assert.equal(await revertReason([order('1', zeroAddress, 5n)]), `ERC20InvalidReceiver(${zeroAddress})`)
      assert.equal(await revertReason([order('1', alice, 5n), order('2', bob, 0n)]), `ZeroAmount(${refOf('2')})`)
    })

    test('a batch has 1 to 100 orders', async () => {
      const orders = Array.from({ length: 101 }, (_, index) => order(String(index), alice, 1n))
      assert.equal(await revertReason([]), 'BatchOutOfRange(0)')
      assert.equal(await revertReason(orders), 'BatchOutOfRange(101)')
      assert.equal(await revertReason(orders.slice(1)), undefined)
    })

    for (const size of [1, 100])
      test(`the gas estimated by a node is enough to mint a batch of ${size}`, async () => {
        const accounts = Array.from({ length: size }, (_, index) => padHex(toHex(index + 1_000), { size: 20 }))
        await issuance.register(token, ...accounts)
        const args = [token.address, accounts.map((to, index) => order(String(index), to, 1n))]
        const data = encodeFunctionData({ abi: mintDesk.abi, functionName: 'mint', args })
        const gas = await issuance.chain.client.estimateGas({ account: operator, to: issuance.desk.address, data })
        const receipt = await issuance.chain.sendWithGas(issuance.desk, 'mint', args, operator, gas)
        assert.equal(eventsOf(receipt).filter((event) => event.startsWith('OrderMinted')).length, size)
        assert.equal(await supply(), 100n + BigInt(size))
      })

    test('minting a paused token, or at an address without a contract, reverts', async () => {
      await issuance.chain.send(token, 'pause', [], issuance.officer)
      assert.equal(await revertReason([order('1', alice, 5n)]), 'EnforcedPause()')
      assert.equal(await revertReason([order('1', alice, 5n)], operator, stranger), `NotAToken(${stranger})`)
    })

    test('minting a token on which the desk does not have the MINTER role reverts', async () => {
      const minter = roleOf('MINTER')
      await issuance.chain.send(token, 'revokeRole', [minter, issuance.desk.address], admin)
      const expected = `AccessControlUnauthorizedAccount(${issuance.desk.address}, ${minter})`
      assert.equal(await revertReason([order('1', alice, 5n)]), expected)
    })
  })

  describe('registering', () => {
    const register = (accounts: Address[], of = token.address) =>
      issuance.chain.revertReason(issuance.desk, 'register', [of, accounts], operator)
    const unregister = (...accounts: Address[]) =>
      issuance.chain.send(issuance.desk, 'unregister', [token.address, accounts], operator)

    test('the operator registers accounts with a token', async () => {
      assert.deepEqual(eventsOf(await issuance.register(token, alice, carol)), [`Registered(${carol}, true)`])
      assert.equal(await issuance.chain.read(token, 'canReceive', [carol]), true)
    })

    test('an account that the operator unregisters neither sends nor receives until it is registered again', async () => {
      assert.deepEqual(eventsOf(await unregister(alice, carol)), [`Registered(${alice}, false)`])
      for (const name of ['canSend', 'canReceive']) assert.equal(await issuance.chain.read(token, name, [alice]), false)
      const transfer = (from: Address, to: Address) => issuance.chain.revertReason(token, 'transfer', [to, 0n], from)
      assert.equal(await transfer(alice, bob), `ERC7943CannotSend(${alice})`)
      assert.equal(await transfer(bob, alice), `ERC7943CannotReceive(${alice})`)
      await issuance.register(token, alice)
      assert.deepEqual([await transfer(alice, bob), await transfer(bob, alice)], [undefined, undefined])
    })

    test('a batch has 1 to 100 accounts, never the zero address, and needs a token contract', async () => {
      assert.equal(await register([]), 'BatchOutOfRange(0)')
      assert.equal(await register(Array.from({ length: 101 }, () => carol)), 'BatchOutOfRange(101)')
      assert.equal(await register([zeroAddress]), 'ZeroAddress()')
      assert.equal(await register([carol], stranger), `NotAToken(${stranger})`)
      const args = [stranger, [carol]]
      assert.equal(
        await issuance.chain.revertReason(issuance.desk, 'unregister', args, operator),
        `NotAToken(${stranger})`,
      )
    })
  })

  describe('access to the desk', () => {
    test('only the operator can mint, register and unregister; not even the admin can', async () => {
      for (const account of [stranger, admin, alice]) {
        const expected = `AccessControlUnauthorizedAccount(${account}, ${roleOf('OPERATOR')})`
        assert.equal(await revertReason([order('1', alice, 5n)], account), expected)
        const args = [token.address, [carol]]
        for (const name of ['register', 'unregister'])
          assert.equal(await issuance.chain.revertReason(issuance.desk, name, args, account), expected)
      }
    })

    test('after the admin replaces the operator, minted orders are still not minted again', async () => {
      await mint(order('1', alice, 5n))
      const desk = (name: string, account: Address) =>
        issuance.chain.send(issuance.desk, name, [roleOf('OPERATOR'), account], admin)
      await desk('grantRole', carol)
      await desk('revokeRole', operator)
      try {
        assert.match(String(await revertReason([order('2', alice, 5n)])), /^AccessControlUnauthorizedAccount/)
        await issuance.chain.send(issuance.desk, 'mint', [token.address, [order('1', alice, 5n)]], carol)
        assert.equal(await supply(), 105n)
      } finally {
        // Restores the operator for the other tests.
        await desk('grantRole', operator)
        await desk('revokeRole', carol)
      }
    })

    test('a desk cannot be deployed without an admin or an operator', async () => {
      const estimate = (...args: Address[]) =>
        issuance.chain.client.estimateGas({ account: admin, data: encodeDeployData({ ...mintDesk, args }) })
      const error = (signature: string) => new RegExp(toFunctionSelector(signature))
      await assert.rejects(estimate(zeroAddress, operator), error('AccessControlInvalidDefaultAdmin(address)'))
      await assert.rejects(estimate(admin, zeroAddress), error('ZeroAddress()'))
      await estimate(admin, operator)
    })
  })
})
