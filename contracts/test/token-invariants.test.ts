import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import type { Contract } from './harness/chain.ts'
import { Issuance, roleOf } from './harness/issuance.ts'
import { Ledger } from './harness/ledger.ts'
import { randomCalls } from './harness/random-calls.ts'
import {
  type AccountName,
  accountNames,
  applyToModel,
  type Command,
  type Model,
  newModel,
} from './harness/token-model.ts'

const runs = 10
const seed = Number(process.env['SEED'] ?? Math.trunc(Math.random() * 2 ** 31))

const accountName = fc.constantFrom<AccountName>('alice', 'bob', 'carol')
// Few values, so that they often are below, equal to or above balances and frozen amounts.
const amount = fc.constantFrom(0n, 1n, 10n, 25n, 50n, 75n, 100n, 130n)
const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ name: fc.constant('mint' as const), to: accountName, amount }) },
  {
    weight: 5,
    arbitrary: fc.record({ name: fc.constant('transfer' as const), from: accountName, to: accountName, amount }),
  },
  { weight: 4, arbitrary: fc.record({ name: fc.constant('setFrozenTokens' as const), of: accountName, amount }) },
  {
    weight: 4,
    arbitrary: fc.record({ name: fc.constant('forcedTransfer' as const), from: accountName, to: accountName, amount }),
  },
  { weight: 3, arbitrary: fc.record({ name: fc.constant('burn' as const), from: accountName, amount }) },
  { weight: 3, arbitrary: fc.record({ name: fc.constant('register' as const), of: accountName }) },
  { weight: 1, arbitrary: fc.record({ name: fc.constant('unregister' as const), of: accountName }) },
  // Pauses are rare and short, because most commands revert during a pause.
  {
    weight: 1,
    arbitrary: fc.record({ name: fc.constantFrom('pause' as const, 'unpause' as const, 'unpause' as const) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ name: fc.constant('setLockUp' as const), isLockedUp: fc.constantFrom(true, false, false) }),
  },
)

describe('any sequence of mints, transfers, freezes, forced transfers, burns, registrations, pauses and lock-ups', () => {
  let issuance: Issuance
  before(async () => {
    issuance = await Issuance.start()
  })
  after(() => issuance.chain.stop())

  async function newToken(): Promise<Contract> {
    const token = await issuance.token()
    for (const role of ['MINTER', 'REGISTRAR'] as const)
      await issuance.chain.send(token, 'grantRole', [roleOf(role), issuance.officer], issuance.admin)
    return token
  }

  /** Runs the command on the token and on the model, and compares the results. */
  async function reverts(token: Contract, command: Command, model: Model): Promise<boolean> {
    const { chain, officer } = issuance
    const args = argumentsOf(command)
    const from = command.name === 'transfer' ? issuance[command.from] : officer
    const allowed = command.name === 'transfer' && (await chain.read<boolean>(token, 'canTransfer', [from, ...args]))
    const expected = applyToModel(model, command)
    const reason = await chain.revertReason(token, command.name, args, from)
    assert.equal(reason?.replace(/\(.*/, ''), expected)
    // ERC-7943: canTransfer is false exactly if permissions forbid the transfer.
    if (command.name === 'transfer') assert.equal(allowed, [undefined, 'ERC20InsufficientBalance'].includes(expected))
    if (expected === undefined) await chain.send(token, command.name, args, from)
    return expected !== undefined
  }

  async function assertEqualsModel(token: Contract, model: Model): Promise<void> {
    const read = (name: string, ...args: unknown[]) => issuance.chain.read<bigint>(token, name, args)
    const [supply, balances, frozen] = await Promise.all([
      read('totalSupply'),
      Promise.all(accountNames.map((name) => read('balanceOf', issuance[name]))),
      Promise.all(accountNames.map((name) => read('getFrozenTokens', issuance[name]))),
    ])
    assert.equal(
      supply,
      balances.reduce((sum, balance) => sum + balance, 0n),
      'the supply is the sum of the balances',
    )
    assert.deepEqual(
      { balances, frozen },
      {
        balances: accountNames.map((name) => model[name].balance),
        frozen: accountNames.map((name) => model[name].frozen),
      },
    )
  }

  function argumentsOf(command: Command): unknown[] {
    switch (command.name) {
      case 'mint':
      case 'transfer':
        return [issuance[command.to], command.amount]
      case 'forcedTransfer':
        return [issuance[command.from], issuance[command.to], command.amount]
      case 'burn':
        return [issuance[command.from], command.amount]
      case 'setFrozenTokens':
        return [issuance[command.of], command.amount]
      case 'register':
      case 'unregister':
        return [[issuance[command.of]]]
      case 'pause':
      case 'unpause':
        return []
      case 'setLockUp':
        return [command.isLockedUp ? 2n ** 64n - 1n : 0n]
    }
  }

  test(`results in the balances, supply, frozen amounts and reverts of a model, seed ${seed}`, async (context) => {
    let count = 0
    let revertCount = 0
    await fc.assert(
      fc.asyncProperty(fc.array(anyCommand, { minLength: 20, maxLength: 30 }), async (commands) => {
        const token = await newToken()
        const model = newModel()
        for (const each of commands) {
          if (await reverts(token, each, model)) revertCount += 1
          await assertEqualsModel(token, model)
          count += 1
        }
      }),
      // Limits how long fast-check shrinks a failure.
      { seed, numRuns: runs, interruptAfterTimeLimit: 600_000, markInterruptAsFailure: true },
    )
    context.diagnostic(`${count} commands, ${revertCount} reverted, seed ${seed}`)
    assert.ok(count >= runs * 20 && revertCount < count)
  })
})

describe('any calls by anyone', () => {
  const callCount = 5_000
  const batchSize = 250

  let issuance: Issuance
  before(async () => {
    issuance = await Issuance.start()
  })
  after(() => issuance.chain.stop())

  test(`never break the cap, the sum of balances, one mint per order or the allow-list, seed ${seed}`, async (context) => {
    const { chain } = issuance
    const firstBlock = (await chain.client.getBlockNumber()) + 1n
    const token = await issuance.token()
    const ledger = new Ledger()
    ledger.apply(await chain.client.getLogs({ fromBlock: firstBlock }))
    const calls = randomCalls(issuance, token, seed, callCount)
    while (calls.length > 0) {
      ledger.apply(await chain.sendAll(calls.splice(0, batchSize), 500_000n))
      await assertEqualsLedger(token, ledger)
    }
    context.diagnostic(`seed ${seed}: ${JSON.stringify(ledger.seen)}`)
    // Proves that the calls that must keep the invariants did happen.
    const expected = [
      'OrderMinted',
      'Transfer',
      'ForcedTransfer',
      'Registered',
      'Frozen',
      'CapSet',
      'Paused',
      'LockUpSet',
      'Approval',
    ]
    for (const event of expected) assert.ok((ledger.seen[event] ?? 0) > 10, event)
  })

  async function assertEqualsLedger(token: Contract, ledger: Ledger): Promise<void> {
    const { chain, desk, admin, operator, officer, alice, bob, carol, stranger } = issuance
    const accounts = [admin, operator, officer, alice, bob, carol, stranger, desk.address]
    const [supply, cap, balances, registered] = await Promise.all([
      chain.read<bigint>(token, 'totalSupply'),
      chain.read<bigint>(token, 'cap'),
      issuance.balances(token, ...accounts),
      Promise.all(accounts.map((account) => chain.read<boolean>(token, 'canReceive', [account]))),
    ])
    const sum = balances.reduce((total, balance) => total + balance, 0n)
    assert.deepEqual([sum, supply, cap], [supply, ledger.supply, ledger.cap])
    assert.deepEqual(
      { balances, registered },
      {
        balances: accounts.map((account) => ledger.balances.get(account) ?? 0n),
        registered: accounts.map((account) => ledger.registered.has(account)),
      },
    )
  }
})
