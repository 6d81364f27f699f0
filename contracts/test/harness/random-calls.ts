import fc from 'fast-check'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import type { Contract } from './chain.ts'
import { type Issuance, refOf, roleOf } from './issuance.ts'

export interface RandomCall {
  readonly from: Address
  readonly to: Address
  readonly data: Hex
}

/**
 * Returns calls of every function that changes a token or its desk. The account with the required role sends three of
 * four, any account the others. Amounts, accounts and references are few, so that calls affect each other.
 */
export function randomCalls(issuance: Issuance, token: Contract, seed: number, count: number): RandomCall[] {
  const { admin, operator, officer, alice, bob, carol, stranger, desk } = issuance
  const anyone = fc.constantFrom(admin, operator, officer, alice, bob, carol, stranger)
  const account = fc.constantFrom(alice, bob, carol, alice, bob, carol, stranger, desk.address)
  const amount = fc.integer({ min: 0, max: 60 }).map(BigInt)
  // Often near the supply, and sometimes above whatever it has grown to, so that every seed changes the cap.
  const cap = fc.oneof(fc.integer({ min: 0, max: 600 }), fc.integer({ min: 0, max: 40_000 })).map(BigInt)
  const role = fc.constantFrom('FREEZER', 'BURNER', 'PAUSER').map(roleOf)
  const ref = fc.integer({ min: 1, max: count / 5 }).map((number) => refOf(`order ${number}`))
  const orders = fc.array(fc.record({ ref, to: account, amount }), { minLength: 1, maxLength: 3 })
  const accounts = fc.array(account, { minLength: 1, maxLength: 3 })

  const call = (contract: Contract, name: string, args: fc.Arbitrary<unknown>[], by: fc.Arbitrary<Address>) =>
    fc.record({
      from: fc.oneof({ weight: 3, arbitrary: by }, { weight: 1, arbitrary: anyone }),
      to: fc.constant(contract.address),
      data: fc
        .tuple(...args)
        .map((values) => encodeFunctionData({ abi: contract.abi, functionName: name, args: values })),
    })
  const ofDesk = (name: string, arg: fc.Arbitrary<unknown>) =>
    call(desk, name, [fc.constant(token.address), arg], fc.constant(operator))
  const ofOfficer = (name: string, ...args: fc.Arbitrary<unknown>[]) => call(token, name, args, fc.constant(officer))
  const ofHolder = (name: string, ...args: fc.Arbitrary<unknown>[]) => call(token, name, args, account)

  const anyCall = fc.oneof(
    { weight: 8, arbitrary: ofDesk('mint', orders) },
    { weight: 5, arbitrary: ofDesk('register', accounts) },
    { weight: 2, arbitrary: ofDesk('unregister', accounts) },
    { weight: 1, arbitrary: ofOfficer('mint', account, amount) },
    { weight: 1, arbitrary: ofOfficer('register', accounts) },
    { weight: 8, arbitrary: ofHolder('transfer', account, amount) },
    { weight: 2, arbitrary: ofHolder('approve', account, amount) },
    { weight: 4, arbitrary: ofHolder('transferFrom', account, account, amount) },
    { weight: 4, arbitrary: ofOfficer('forcedTransfer', account, account, amount) },
    { weight: 5, arbitrary: ofOfficer('burn', account, amount) },
    { weight: 2, arbitrary: ofOfficer('setFrozenTokens', account, amount) },
    { weight: 3, arbitrary: ofOfficer('setCap', cap) },
    { weight: 1, arbitrary: ofOfficer('setLockUp', fc.constantFrom(0n, 0n, 2n ** 64n - 1n)) },
    { weight: 1, arbitrary: ofOfficer('pause') },
    { weight: 3, arbitrary: ofOfficer('unpause') },
    { weight: 1, arbitrary: call(token, 'grantRole', [role, anyone], fc.constant(admin)) },
    { weight: 1, arbitrary: call(token, 'beginDefaultAdminTransfer', [anyone], fc.constant(admin)) },
    { weight: 1, arbitrary: call(token, 'initialize', [fc.constant(issuance.terms()), anyone], anyone) },
  )
  // The desk cannot sign.
  const isSigned = ({ from }: RandomCall) => from !== desk.address
  return fc.sample(anyCall.filter(isSigned), { seed, numRuns: count })
}
