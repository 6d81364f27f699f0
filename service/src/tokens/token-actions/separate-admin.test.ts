import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Address } from 'viem'
import { OperatorClient } from '../../../test/harness/callers/operator-client.ts'
import { SettledWorld } from '../../../test/harness/tokens/settled-world.ts'
import { roleHash, tokenCall } from '../chain/contracts.ts'

const multisig: Address = '0x00000000000000000000000000000000000000AA'

describe('a token whose admin is not the signer', async () => {
  const settled = await SettledWorld.create({ admin: multisig })
  after(() => settled.end())
  const { installation, world } = settled
  const api = await installation.startOperatorApi()
  const proposer = await OperatorClient.create(installation, api, world.tenantId, 'admin')
  const [holder] = await settled.minted(1)

  /** Proposes and confirms a freeze. Returns the state and the failure of its op. */
  async function freeze(): Promise<[string, string | null]> {
    const body = { kind: 'FREEZE', wallet_address: holder, units: '1', reason: 'court order' }
    const response = await proposer.postTogether(`/offerings/${world.offeringId}/token-actions`, body)
    await settled.settle()
    const { body: op } = await proposer.get(`/chain-ops/${response.body.result.id}`)
    return [op.state, op.failure]
  }

  test('it is minted by the signer, and administered by the admin alone', async () => {
    assert.equal(await settled.world.supply(), 100_000_000n)
    assert.equal(await settled.readToken('defaultAdmin'), multisig)
  })

  test('an action for which the admin did not grant the role fails and names the role; then it succeeds', async () => {
    const { signer } = settled.world
    const missing = `AccessControlUnauthorizedAccount: ${signer} does not have the role FREEZER`
    assert.deepEqual(await freeze(), ['REVERTED', missing])
    const grant = tokenCall(await settled.token(), 'grantRole', [roleHash('FREEZER'), signer])
    await settled.sendAs(multisig, grant)
    await settled.chain.mine(1)
    assert.deepEqual(await freeze(), ['FINAL', null])
    assert.equal(await settled.readToken('getFrozenTokens', [holder]), 1n)
    const kinds = (await settled.world.ops()).map(({ kind }) => kind)
    assert.equal(kinds.includes('GRANT_ROLE'), false, 'the service grants no roles')
  })

  test('a grant that the signer may no longer make fails and names the role, and so does the action after it', async () => {
    // Simulates that the admin of the token has changed on the chain meanwhile.
    await settled.world.rows('update cell.chain_signer set admin_address = address')
    const [state, failure] = await freeze()
    const { signer } = settled.world
    const missing = `AccessControlUnauthorizedAccount: ${signer} does not have the role DEFAULT_ADMIN_ROLE`
    assert.deepEqual([state, failure], ['REVERTED', `GRANT_ROLE before it failed: ${missing}`])
  })
})
