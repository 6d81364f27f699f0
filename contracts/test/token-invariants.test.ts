import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import type { Contract } from './harness/chain.ts'
import { Issuance, roleOf } from './harness/issuance.ts'
import { type Command, everybody, type Model, newModel, refusalOf, type Who } from './harness/token-model.ts'

const runs = 10
const seed = Number(process.env['SEED'] ?? Math.trunc(Math.random() * 2 ** 31))

const who = fc.constantFrom<Who>('alice', 'bob', 'carol')
// Few, so that they meet balances and frozen amounts exactly, fall short of them and pass them about as often.
const amount = fc.constantFrom(0n, 1n, 10n, 25n, 50n, 75n, 100n, 130n)
const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ name: fc.constant('mint' as const), to: who, amount }) },
  { weight: 5, arbitrary: fc.record({ name: fc.constant('transfer' as const), from: who, to: who, amount }) },
  { weight: 4, arbitrary: fc.record({ name: fc.constant('setFrozenTokens' as const), of: who, amount }) },
  { weight: 4, arbitrary: fc.record({ name: fc.constant('forcedTransfer' as const), from: who, to: who, amount }) },
  { weight: 3, arbitrary: fc.record({ name: fc.constant('burn' as const), from: who, amount }) },
  { weight: 3, arbitrary: fc.record({ name: fc.constant('register' as const), of: who }) },
  { weight: 1, arbitrary: fc.record({ name: fc.constant('unregister' as const), of: who }) },
  // Rare and short, since little happens in a pause.
  {
    weight: 1,
    arbitrary: fc.record({ name: fc.constantFrom('pause' as const, 'unpause' as const, 'unpause' as const) }),
  },
)

describe('any sequence of mints, transfers, freezes, forced transfers, burns, registrations and pauses', () => {
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

  /** Runs the command on both, and holds one against the other. */
  async function isRefused(token: Contract, command: Command, model: Model): Promise<boolean> {
    const { chain, officer } = issuance
    const args = argumentsOf(command)
    const from = command.name === 'transfer' ? issuance[command.from] : officer
    const allowed = command.name === 'transfer' && (await chain.read<boolean>(token, 'canTransfer', [from, ...args]))
    const expected = refusalOf(model, command)
    const refusal = await chain.refusal(token, command.name, args, from)
    assert.equal(refusal?.replace(/\(.*/, ''), expected)
    // The standard: what permissions forbid and canTransfer denies are the same.
    if (command.name === 'transfer') assert.equal(allowed, [undefined, 'ERC20InsufficientBalance'].includes(expected))
    if (expected === undefined) await chain.send(token, command.name, args, from)
    return expected !== undefined
  }

  async function hold(token: Contract, model: Model): Promise<void> {
    const read = (name: string, ...args: unknown[]) => issuance.chain.read<bigint>(token, name, args)
    const [supply, balances, frozen] = await Promise.all([
      read('totalSupply'),
      Promise.all(everybody.map((name) => read('balanceOf', issuance[name]))),
      Promise.all(everybody.map((name) => read('getFrozenTokens', issuance[name]))),
    ])
    assert.equal(
      supply,
      balances.reduce((sum, balance) => sum + balance, 0n),
      'the supply is the sum of the balances',
    )
    assert.deepEqual(
      { balances, frozen },
      { balances: everybody.map((name) => model[name].balance), frozen: everybody.map((name) => model[name].frozen) },
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
    }
  }

  test(`holds balances, supply, frozen amounts and refusals against a model, seed ${seed}`, async (context) => {
    let count = 0
    let refused = 0
    await fc.assert(
      fc.asyncProperty(fc.array(anyCommand, { minLength: 20, maxLength: 30 }), async (commands) => {
        const token = await newToken()
        const model = newModel()
        for (const each of commands) {
          if (await isRefused(token, each, model)) refused += 1
          await hold(token, model)
          count += 1
        }
      }),
      // A failure is shrunk for so long only.
      { seed, numRuns: runs, interruptAfterTimeLimit: 60_000, markInterruptAsFailure: true },
    )
    context.diagnostic(`${count} commands, of which ${refused} were refused, seed ${seed}`)
    assert.ok(count >= runs * 20 && refused < count)
  })
})
