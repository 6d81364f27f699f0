import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { type Address, keccak256, sliceHex } from 'viem'
import { mintDesk, tokenFactory } from './harness/artifacts.ts'
import { Issuance, refOf } from './harness/issuance.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

describe('gas', () => {
  let issuance: Issuance
  before(async () => {
    issuance = await Issuance.start()
  })
  after(() => issuance.chain.stop())

  test('each transaction stays within its budget, and the README has the measured values', async (context) => {
    const measured = await measure(issuance)
    const over = measured.filter(({ gas, budget }) => gas > budget)
    const rows = measured.map(
      ({ transaction, gas, budget }) => `| ${transaction} | ${figure(gas)} | ${figure(budget)} |`,
    )
    for (const row of rows) context.diagnostic(row)
    assert.deepEqual(over, [])
    assert.deepEqual(
      rows.filter((row) => !readme.includes(row)),
      [],
    )
  })
})

const figure = (gas: bigint) => gas.toLocaleString('en')

interface Measured {
  transaction: string
  gas: bigint
  budget: bigint
}

/** Addresses and references are hashes, because zero bytes would be cheaper than in reality; they are deterministic. */
async function measure(issuance: Issuance): Promise<Measured[]> {
  const { chain, desk, factory, operator, admin } = issuance
  const accounts = Array.from({ length: 100 }, (_, index) => sliceHex(keccak256(refOf(`account ${index}`)), 12))
  const measured: Measured[] = []
  const note = (transaction: string, budget: bigint, { gasUsed }: { gasUsed: bigint }) =>
    measured.push({ transaction, gas: gasUsed, budget })
  const order = (ref: string, to: Address | undefined) => {
    assert.ok(to)
    return { ref: refOf(ref), to, amount: 12_500_000_000n }
  }

  note('deploy the factory with the implementation, once', 4_200_000n, await chain.deploy(tokenFactory, [], admin))
  note('deploy a desk, once per tenant', 1_700_000n, await chain.deploy(mintDesk, [admin, operator], admin))
  const terms = [desk.address, issuance.newOffering(), issuance.terms()]
  note('deploy a token with its roles', 340_000n, await chain.send(factory, 'deploy', terms, operator))
  const token = await issuance.token()
  note('register 1', 70_000n, await issuance.register(token, ...accounts.slice(0, 1)))
  note('register 100', 3_000_000n, await issuance.register(await issuance.token(), ...accounts))
  const unregister = [token.address, accounts.slice(0, 1)]
  note('unregister 1', 60_000n, await chain.send(desk, 'unregister', unregister, operator))
  await issuance.register(token, ...accounts)
  const one = [token.address, [order('one', accounts[0])]]
  note('mint 1 order', 100_000n, await chain.send(desk, 'mint', one, operator))
  note('mint the first order of a token', 120_000n, await mintFirst(issuance))
  const fresh = await issuance.token()
  await issuance.register(fresh, ...accounts)
  const orders = accounts.map((account, index) => order(`order ${index}`, account))
  const hundred = () => chain.send(desk, 'mint', [fresh.address, orders], operator)
  note('mint 100 orders', 5_800_000n, await hundred())
  note('mint 100 orders that are already minted', 500_000n, await hundred())
  note('transfer', 70_000n, await chain.send(token, 'transfer', [issuance.bob, 1n], issuance.alice))
  await chain.send(token, 'setFrozenTokens', [issuance.alice, 99n], issuance.officer)
  const forced = [issuance.alice, issuance.bob, 50n]
  note('forced transfer of frozen tokens', 80_000n, await chain.send(token, 'forcedTransfer', forced, issuance.officer))
  return measured
}

async function mintFirst(issuance: Issuance) {
  const token = await issuance.deployToken()
  await issuance.register(token, issuance.alice)
  return issuance.mint(token, issuance.alice, 12_500_000_000n)
}
