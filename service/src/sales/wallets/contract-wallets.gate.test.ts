import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { OperatorClient } from '../../../test/harness/callers/operator-client.ts'
import { deployContractWallet } from '../../../test/harness/chain/contract-wallet.ts'
import { PacedChain } from '../../../test/harness/chain/paced-chain.ts'
import { WalletOwner } from '../../../test/harness/chain/wallet-owner.ts'
import { TestTenant } from '../../../test/harness/data/tenant.ts'
import { type ApiResponse, assertError } from '../../../test/harness/installation/api-client.ts'
import { TestInstallation } from '../../../test/harness/installation/test-installation.ts'

describe('contract wallets', async () => {
  const [installation, chain] = await Promise.all([TestInstallation.create(), PacedChain.start()])
  after(async () => {
    await installation.end()
    await chain.stop()
  })
  const settings = { CHAINS: `anvil=${chain.url}` }
  const [api, operatorApi] = await Promise.all([
    installation.startApi(settings),
    installation.startOperatorApi(settings),
  ])
  const tenant = await TestTenant.create(installation, api)
  const accountId = await tenant.account()

  const register = async (public_address: string, blockchain = 'anvil') => {
    const body = new WalletOwner().body({ public_address, blockchain })
    const response = await tenant.post(`/accounts/${accountId}/wallets`, body)
    assert.equal(response.status, 201, response.text)
    const { id, challenge } = response.body as { id: string; challenge: string }
    return { path: `/accounts/${accountId}/wallets/${id}`, message: challenge }
  }
  const assertRejected = (response: ApiResponse, problem: RegExp) => {
    assertError(response, 409, 'wallet_proof_invalid')
    assert.match(response.body.error.message, problem)
  }

  test('is asked on its chain (EIP-1271), once its deployment is final', async () => {
    const [owner, stranger] = [new WalletOwner(), new WalletOwner()]
    const address = await deployContractWallet(chain, owner.address)
    const { path, message } = await register(address)
    const signature = await owner.sign(message)
    assertRejected(await tenant.post(`${path}/prove`, { message, signature }), /no contract exists .* finalized block/)
    await chain.mine(8)
    for (const wrong of [await stranger.sign(message), await owner.sign(`${message} `), '0x', `0x${'11'.repeat(200)}`])
      assertRejected(
        await tenant.post(`${path}/prove`, { message, signature: wrong }),
        /not a signature of this message/,
      )
    const proven = await tenant.post(`${path}/prove`, { message, signature })
    assert.deepEqual([proven.status, proven.body.status], [200, 'ACTIVE'], proven.text)
    assertError(await tenant.post(`${path}/prove`, { message, signature }), 409, 'wallet_not_provable')
  })

  test('is asked for operators too', async () => {
    const operator = await OperatorClient.create(installation, operatorApi, tenant.id)
    const owner = new WalletOwner()
    const { path, message } = await register(await deployContractWallet(chain, owner.address))
    await chain.mine(8)
    const proven = await operator.post(`${path}/prove`, { message, signature: await owner.sign(message) })
    assert.deepEqual([proven.status, proven.body.status], [200, 'ACTIVE'], proven.text)
  })

  test('that is not deployed is rejected, and the error says what to do (ERC-6492)', async () => {
    const owner = new WalletOwner()
    const { path, message } = await register(new WalletOwner().address)
    const signature = `${await owner.sign(message)}${'6492'.repeat(16)}`
    assertRejected(
      await tenant.post(`${path}/prove`, { message, signature }),
      /not deployed yet \(ERC-6492\)\. Deploy it/,
    )
  })

  test('cannot be asked without a node of its chain, and the error says so', async () => {
    const { path, message } = await register(new WalletOwner().address, 'polygon')
    const signature = await new WalletOwner().sign(message)
    assertRejected(await tenant.post(`${path}/prove`, { message, signature }), /has no node of polygon/)
  })

  test('is asked again after its node was unavailable, with the same proof', async () => {
    const owner = new WalletOwner()
    const { path, message } = await register(await deployContractWallet(chain, owner.address))
    await chain.mine(8)
    const proof = { message, signature: await owner.sign(message) }
    chain.freeze()
    try {
      assertError(await tenant.post(`${path}/prove`, proof), 503, 'chain_unavailable')
    } finally {
      chain.unfreeze()
    }
    assert.equal((await tenant.post(`${path}/prove`, proof)).status, 200)
  })
})
