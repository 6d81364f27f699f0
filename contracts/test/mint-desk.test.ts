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

before(async () => {
  issuance = await Issuance.start()
  ;({ admin, operator, alice, bob, carol, stranger } = issuance)
})
after(() => issuance.chain.stop())
beforeEach(async () => {
  token = await issuance.token()
})

const order = (ref: string, to: Address, amount: bigint): Order => ({ ref: refOf(ref), to, amount })
const mint = (...orders: Order[]) => issuance.chain.send(issuance.desk, 'mint', [token.address, orders], operator)
const refusal = (orders: Order[], from = operator, of = token.address) =>
  issuance.chain.refusal(issuance.desk, 'mint', [of, orders], from)
const minted = (ref: string, of = token) =>
  issuance.chain.read<bigint>(issuance.desk, 'minted', [of.address, refOf(ref)])
const supply = () => issuance.chain.read<bigint>(token, 'totalSupply')
const mintedEvent = ({ ref, to, amount }: Order) => `OrderMinted(${token.address}, ${ref}, ${to}, ${amount})`
const transferEvent = ({ to, amount }: Order) => `Transfer(${zeroAddress}, ${to}, ${amount})`

describe('minting orders', () => {
  test('each order is minted, kept and told', async () => {
    const orders = [order('1', alice, 5n), order('2', bob, 7n), order('3', bob, 1n)]
    const events = eventsOf(await mint(...orders))
    assert.deepEqual(
      events,
      orders.flatMap((each) => [transferEvent(each), mintedEvent(each)]),
    )
    assert.deepEqual(await issuance.balances(token, alice, bob), [105n, 8n])
    assert.deepEqual([await minted('1'), await minted('2'), await minted('4')], [5n, 7n, 0n])
  })

  test('an order that is sent again mints nothing, alone or among new ones', async () => {
    await mint(order('1', alice, 5n))
    assert.deepEqual(eventsOf(await mint(order('1', alice, 5n))), [])
    const fresh = order('2', bob, 7n)
    const events = eventsOf(await mint(order('1', alice, 5n), fresh, order('1', alice, 5n)))
    assert.deepEqual(events, [transferEvent(fresh), mintedEvent(fresh)])
    assert.equal(await supply(), 112n)
  })

  test('the first one counts when a reference comes twice, in one batch or with other contents later', async () => {
    assert.deepEqual(eventsOf(await mint(order('1', alice, 5n), order('1', bob, 9n))).length, 2)
    assert.deepEqual(eventsOf(await mint(order('1', bob, 9n))), [])
    assert.deepEqual([await minted('1'), await supply()], [5n, 105n])
  })

  test('the same reference of another token is another order', async () => {
    await mint(order('1', alice, 5n))
    const first = token
    token = await issuance.token()
    await mint(order('1', alice, 6n))
    assert.deepEqual([await minted('1', first), await minted('1')], [5n, 6n])
  })

  test('one bad receiver refuses the whole batch, by name', async () => {
    const orders = [order('1', alice, 5n), order('2', carol, 7n), order('3', bob, 1n)]
    assert.equal(await refusal(orders), `ERC7943CannotReceive(${carol})`)
    // Sent all the same, with gas enough, it changes nothing.
    await issuance.chain.sendRefused(issuance.desk, 'mint', [token.address, orders], operator)
    assert.deepEqual([await minted('1'), await supply()], [0n, 100n])
  })

  test('no order for nobody, and none of nothing', async () => {
    assert.equal(await refusal([order('1', zeroAddress, 5n)]), `ERC20InvalidReceiver(${zeroAddress})`)
    assert.equal(await refusal([order('1', alice, 5n), order('2', bob, 0n)]), `ZeroAmount(${refOf('2')})`)
  })

  test('a batch has 1 to 100 orders', async () => {
    const orders = Array.from({ length: 101 }, (_, index) => order(String(index), alice, 1n))
    assert.equal(await refusal([]), 'BatchOutOfRange(0)')
    assert.equal(await refusal(orders), 'BatchOutOfRange(101)')
    assert.equal(await refusal(orders.slice(1)), undefined)
  })

  for (const size of [1, 100])
    test(`the gas that a node estimates is enough to mint every order of ${size}`, async () => {
      const accounts = Array.from({ length: size }, (_, index) => padHex(toHex(index + 1_000), { size: 20 }))
      await issuance.register(token, ...accounts)
      const args = [token.address, accounts.map((to, index) => order(String(index), to, 1n))]
      const data = encodeFunctionData({ abi: mintDesk.abi, functionName: 'mint', args })
      const gas = await issuance.chain.client.estimateGas({ account: operator, to: issuance.desk.address, data })
      const receipt = await issuance.chain.sendWithGas(issuance.desk, 'mint', args, operator, gas)
      assert.equal(eventsOf(receipt).filter((event) => event.startsWith('OrderMinted')).length, size)
      assert.equal(await supply(), 100n + BigInt(size))
    })

  test('a paused token refuses, and an address without a token too', async () => {
    await issuance.chain.send(token, 'pause', [], issuance.officer)
    assert.equal(await refusal([order('1', alice, 5n)]), 'EnforcedPause()')
    assert.equal(await refusal([order('1', alice, 5n)], operator, stranger), `NotAToken(${stranger})`)
  })

  test('a token that did not make the desk its minter refuses', async () => {
    const minter = roleOf('MINTER')
    await issuance.chain.send(token, 'revokeRole', [minter, issuance.desk.address], admin)
    const expected = `AccessControlUnauthorizedAccount(${issuance.desk.address}, ${minter})`
    assert.equal(await refusal([order('1', alice, 5n)]), expected)
  })
})

describe('registering', () => {
  const register = (accounts: Address[], of = token.address) =>
    issuance.chain.refusal(issuance.desk, 'register', [of, accounts], operator)

  test('the operator registers accounts with a token', async () => {
    assert.deepEqual(eventsOf(await issuance.register(token, alice, carol)), [`Registered(${carol}, true)`])
    assert.equal(await issuance.chain.read(token, 'canReceive', [carol]), true)
  })

  test('1 to 100 accounts, none of them zero, with a token that is one', async () => {
    assert.equal(await register([]), 'BatchOutOfRange(0)')
    assert.equal(await register(Array.from({ length: 101 }, () => carol)), 'BatchOutOfRange(101)')
    assert.equal(await register([zeroAddress]), 'ZeroAddress()')
    assert.equal(await register([carol], stranger), `NotAToken(${stranger})`)
  })
})

describe("who is at the desk's window", () => {
  test('only the operator mints and registers, not even the admin', async () => {
    for (const account of [stranger, admin, alice]) {
      const expected = `AccessControlUnauthorizedAccount(${account}, ${roleOf('OPERATOR')})`
      assert.equal(await refusal([order('1', alice, 5n)], account), expected)
      const args = [token.address, [carol]]
      assert.equal(await issuance.chain.refusal(issuance.desk, 'register', args, account), expected)
    }
  })

  test('the admin exchanges the operator, and what was minted stays minted', async () => {
    await mint(order('1', alice, 5n))
    const desk = (name: string, account: Address) =>
      issuance.chain.send(issuance.desk, name, [roleOf('OPERATOR'), account], admin)
    await desk('grantRole', carol)
    await desk('revokeRole', operator)
    try {
      assert.match(String(await refusal([order('2', alice, 5n)])), /^AccessControlUnauthorizedAccount/)
      await issuance.chain.send(issuance.desk, 'mint', [token.address, [order('1', alice, 5n)]], carol)
      assert.equal(await supply(), 105n)
    } finally {
      // The other tests go on with the desk.
      await desk('grantRole', operator)
      await desk('revokeRole', carol)
    }
  })

  test('a desk is never without admin or operator from the start', async () => {
    const estimate = (...args: Address[]) =>
      issuance.chain.client.estimateGas({ account: admin, data: encodeDeployData({ ...mintDesk, args }) })
    const refused = new RegExp(toFunctionSelector('ZeroAddress()'))
    await assert.rejects(estimate(zeroAddress, operator), refused)
    await assert.rejects(estimate(admin, zeroAddress), refused)
    await estimate(admin, operator)
  })
})
