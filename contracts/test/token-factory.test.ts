import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Address, zeroAddress, zeroHash } from 'viem'
import { mintDesk, permissionedToken } from './harness/artifacts.ts'
import { type Contract, eventsOf } from './harness/chain.ts'
import { Issuance, type Role, roleOf, type Terms } from './harness/issuance.ts'

let issuance: Issuance

type Offering = ReturnType<Issuance['newOffering']>

const deploy = (offering: Offering, terms: Partial<Terms> = {}, from = issuance.operator, desk = issuance.desk) =>
  issuance.chain.send(issuance.factory, 'deploy', [desk.address, offering, issuance.terms(terms)], from)
const revertReason = (
  offering: Offering,
  terms: Partial<Terms> = {},
  from = issuance.operator,
  desk = issuance.desk.address,
) => issuance.chain.revertReason(issuance.factory, 'deploy', [desk, offering, issuance.terms(terms)], from)
const tokenOf = async (offering: Offering, desk = issuance.desk): Promise<Contract> => ({
  address: await issuance.chain.read<Address>(issuance.factory, 'tokenOf', [desk.address, offering]),
  abi: permissionedToken.abi,
})

describe('the token factory', () => {
  before(async () => {
    issuance = await Issuance.start()
  })
  after(() => issuance.chain.stop())

  describe('deploying a token', () => {
    test('deploys to the predicted address with its terms, and emits an event', async () => {
      const offering = issuance.newOffering()
      const token = await tokenOf(offering)
      const events = eventsOf(await deploy(offering, { name: 'Quay', symbol: 'Q', decimals: 0, cap: 500n }))
      assert.equal(events.at(-1), `TokenDeployed(${issuance.desk.address}, ${offering}, ${token.address})`)
      const read = (name: string) => issuance.chain.read(token, name)
      assert.deepEqual(await Promise.all(['name', 'symbol', 'decimals', 'cap', 'totalSupply'].map(read)), [
        'Quay',
        'Q',
        0,
        500n,
        0n,
      ])
    })

    test('deploys a clone of 45 bytes', async () => {
      const offering = issuance.newOffering()
      await deploy(offering)
      const code = await issuance.chain.client.getCode(await tokenOf(offering))
      const implementation = await issuance.chain.read<Address>(issuance.factory, 'implementation')
      assert.equal(code, `0x363d3d373d3d3d363d73${implementation.slice(2).toLowerCase()}5af43d82803e903d91602b57fd5bf3`)
    })

    test('grants DEFAULT_ADMIN_ROLE to the admin, MINTER and REGISTRAR to the desk, and no other role', async () => {
      const token = await issuance.deployToken()
      const { admin, operator, desk, factory } = issuance
      const roleHolders: string[] = []
      const roles: Role[] = ['MINTER', 'REGISTRAR', 'FREEZER', 'FORCE_TRANSFER', 'BURNER', 'PAUSER', 'CAP_SETTER']
      for (const [holder, account] of Object.entries({ admin, operator, desk: desk.address, factory: factory.address }))
        for (const [name, role] of [
          ['ADMIN', zeroHash] as const,
          ...roles.map((each) => [each, roleOf(each)] as const),
        ])
          if (await issuance.chain.read(token, 'hasRole', [role, account])) roleHolders.push(`${holder} ${name}`)
      assert.deepEqual(roleHolders, ['admin ADMIN', 'desk MINTER', 'desk REGISTRAR'])
    })

    test('a second deployment returns the same token, also for a new operator', async () => {
      const { chain, desk, admin, carol } = issuance
      const offering = issuance.newOffering()
      await deploy(offering)
      const token = await tokenOf(offering)
      await chain.send(desk, 'grantRole', [roleOf('OPERATOR'), carol], admin)
      const again = await deploy(offering, {}, carol)
      await chain.send(desk, 'revokeRole', [roleOf('OPERATOR'), carol], admin)
      assert.deepEqual(eventsOf(again), [])
      assert.equal((await tokenOf(offering)).address, token.address)
      const args = [desk.address, offering, issuance.terms()]
      const simulated = await chain.client.simulateContract({
        ...issuance.factory,
        functionName: 'deploy',
        args,
        account: issuance.operator,
      })
      assert.equal(simulated.result, token.address)
    })

    test('a second deployment with other terms reverts, except for another cap or admin', async () => {
      const offering = issuance.newOffering()
      await deploy(offering)
      const expected = `OfferingHasAnotherToken(${(await tokenOf(offering)).address})`
      for (const terms of [{ name: 'Other' }, { symbol: 'OTHER' }, { decimals: 9 }])
        assert.equal(await revertReason(offering, terms), expected)
      for (const terms of [{ cap: 1n }, { admin: issuance.carol }])
        assert.equal(await revertReason(offering, terms), undefined)
    })

    test('only the operator of a desk can deploy for it, so no other account can take the address first', async () => {
      const offering = issuance.newOffering()
      const { stranger, admin, chain } = issuance
      for (const account of [stranger, admin])
        assert.equal(
          await revertReason(offering, { admin: account }, account),
          `NotTheOperator(${issuance.desk.address}, ${account})`,
        )
      assert.equal(await revertReason(offering, {}, stranger, stranger), `NotADesk(${stranger})`)
      const other = await chain.deploy(mintDesk, [stranger, stranger], stranger)
      await deploy(offering, { admin: stranger }, stranger, other)
      assert.notEqual((await tokenOf(offering, other)).address, (await tokenOf(offering)).address)
      assert.equal(await chain.client.getCode(await tokenOf(offering)), undefined)
    })

    test('decimals above 18 or a missing admin revert', async () => {
      const offering = issuance.newOffering()
      assert.equal(await revertReason(offering, { decimals: 19 }), 'DecimalsOutOfRange(19)')
      assert.equal(
        await revertReason(offering, { admin: zeroAddress }),
        `AccessControlInvalidDefaultAdmin(${zeroAddress})`,
      )
      assert.equal(await revertReason(offering, { decimals: 18 }), undefined)
    })
  })

  describe('initialization', () => {
    const revertReasonOfInitialize = (token: Contract) =>
      issuance.chain.revertReason(token, 'initialize', [issuance.terms(), issuance.desk.address], issuance.admin)

    test('a token cannot be initialized twice', async () => {
      assert.equal(await revertReasonOfInitialize(await issuance.deployToken()), 'InvalidInitialization()')
    })

    test('the implementation cannot be initialized', async () => {
      const address = await issuance.chain.read<Address>(issuance.factory, 'implementation')
      assert.equal(await revertReasonOfInitialize({ address, abi: permissionedToken.abi }), 'InvalidInitialization()')
    })
  })
})
