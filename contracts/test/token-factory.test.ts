import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Address, zeroAddress, zeroHash } from 'viem'
import { mintDesk, permissionedToken } from './harness/artifacts.ts'
import { type Contract, eventsOf } from './harness/chain.ts'
import { Issuance, type Role, roleOf, type Terms } from './harness/issuance.ts'

let issuance: Issuance
before(async () => {
  issuance = await Issuance.start()
})
after(() => issuance.chain.stop())

type Offering = ReturnType<Issuance['newOffering']>

const deploy = (offering: Offering, terms: Partial<Terms> = {}, from = issuance.operator, desk = issuance.desk) =>
  issuance.chain.send(issuance.factory, 'deploy', [desk.address, offering, issuance.terms(terms)], from)
const refusal = (
  offering: Offering,
  terms: Partial<Terms> = {},
  from = issuance.operator,
  desk = issuance.desk.address,
) => issuance.chain.refusal(issuance.factory, 'deploy', [desk, offering, issuance.terms(terms)], from)
const tokenOf = async (offering: Offering, desk = issuance.desk): Promise<Contract> => ({
  address: await issuance.chain.read<Address>(issuance.factory, 'tokenOf', [desk.address, offering]),
  abi: permissionedToken.abi,
})

describe('deploying a token', () => {
  test('it stands where it was foretold, with its terms, and tells so', async () => {
    const offering = issuance.newOffering()
    const token = await tokenOf(offering)
    const events = eventsOf(await deploy(offering, { name: 'Quay', symbol: 'Q', decimals: 0 }))
    assert.equal(events.at(-1), `TokenDeployed(${issuance.desk.address}, ${offering}, ${token.address})`)
    const read = (name: string) => issuance.chain.read(token, name)
    assert.deepEqual(await Promise.all(['name', 'symbol', 'decimals', 'totalSupply'].map(read)), ['Quay', 'Q', 0, 0n])
  })

  test('it is a clone of 45 bytes', async () => {
    const offering = issuance.newOffering()
    await deploy(offering)
    const code = await issuance.chain.client.getCode(await tokenOf(offering))
    const implementation = await issuance.chain.read<Address>(issuance.factory, 'implementation')
    assert.equal(code, `0x363d3d373d3d3d363d73${implementation.slice(2).toLowerCase()}5af43d82803e903d91602b57fd5bf3`)
  })

  test('the admin is admin, the desk mints and registers, and nobody has any other role', async () => {
    const token = await issuance.deployToken()
    const { admin, operator, desk, factory } = issuance
    const held: string[] = []
    const roles: Role[] = ['MINTER', 'REGISTRAR', 'FREEZER', 'FORCE_TRANSFER', 'BURNER', 'PAUSER']
    for (const [who, account] of Object.entries({ admin, operator, desk: desk.address, factory: factory.address }))
      for (const [name, role] of [['ADMIN', zeroHash] as const, ...roles.map((each) => [each, roleOf(each)] as const)])
        if (await issuance.chain.read(token, 'hasRole', [role, account])) held.push(`${who} ${name}`)
    assert.deepEqual(held, ['admin ADMIN', 'desk MINTER', 'desk REGISTRAR'])
  })

  test('twice for one offering is one token, whoever the operator has become', async () => {
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
    const answered = await chain.client.simulateContract({
      ...issuance.factory,
      functionName: 'deploy',
      args,
      account: issuance.operator,
    })
    assert.equal(answered.result, token.address)
  })

  test('once more with other terms is refused, but for the admin, who may have changed', async () => {
    const offering = issuance.newOffering()
    await deploy(offering)
    const expected = `OfferingHasAnotherToken(${(await tokenOf(offering)).address})`
    for (const terms of [{ name: 'Other' }, { symbol: 'OTHER' }, { decimals: 9 }])
      assert.equal(await refusal(offering, terms), expected)
    assert.equal(await refusal(offering, { admin: issuance.carol }), undefined)
  })

  test('only the operator of a desk deploys for it, so that nobody takes its address first', async () => {
    const offering = issuance.newOffering()
    const { stranger, admin, chain } = issuance
    for (const account of [stranger, admin])
      assert.equal(
        await refusal(offering, { admin: account }, account),
        `NotTheOperator(${issuance.desk.address}, ${account})`,
      )
    assert.equal(await refusal(offering, {}, stranger, stranger), `NotADesk(${stranger})`)
    const other = await chain.deploy(mintDesk, [stranger, stranger], stranger)
    await deploy(offering, { admin: stranger }, stranger, other)
    assert.notEqual((await tokenOf(offering, other)).address, (await tokenOf(offering)).address)
    assert.equal(await chain.client.getCode(await tokenOf(offering)), undefined)
  })

  test('decimals are 0 to 18, and there is an admin', async () => {
    const offering = issuance.newOffering()
    assert.equal(await refusal(offering, { decimals: 19 }), 'DecimalsOutOfRange(19)')
    assert.equal(await refusal(offering, { admin: zeroAddress }), 'ZeroAddress()')
    assert.equal(await refusal(offering, { decimals: 18 }), undefined)
  })
})

describe('initialising', () => {
  const initialised = (token: Contract) =>
    issuance.chain.refusal(token, 'initialize', [issuance.terms(), issuance.desk.address], issuance.admin)

  test('a token cannot be initialised twice', async () => {
    assert.equal(await initialised(await issuance.deployToken()), 'InvalidInitialization()')
  })

  test('the implementation cannot be initialised at all', async () => {
    const address = await issuance.chain.read<Address>(issuance.factory, 'implementation')
    assert.equal(await initialised({ address, abi: permissionedToken.abi }), 'InvalidInitialization()')
  })
})
