import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { OperatorClient } from './harness/callers/operator-client.ts'
import { PacedChain } from './harness/chain/paced-chain.ts'
import { readToken } from './harness/chain/read-token.ts'
import { WalletOwner } from './harness/chain/wallet-owner.ts'
import { individual, newOffering } from './harness/data/bodies.ts'
import { Fixtures } from './harness/data/fixtures.ts'
import type { ApiResponse } from './harness/installation/api-client.ts'
import { TestInstallation } from './harness/installation/test-installation.ts'
import { until } from './harness/wait.ts'

/** Everything that an integrator reads after tokens are minted and transferred, over HTTP and with a real chain. */
describe('a minted order', async () => {
  const [installation, chain] = await Promise.all([TestInstallation.create(), PacedChain.start({ blockSeconds: 0.4 })])
  after(async () => {
    await installation.end()
    await chain.stop()
  })
  const settings = { CHAINS: `anvil=${chain.url}` }
  const [integratorApi, operatorApi] = await Promise.all([
    installation.startApi(),
    installation.startOperatorApi(),
    installation.startWorker(settings),
    installation.startIndexer(settings),
  ])
  const api = integratorApi
  const tenantId = await installation.createTenant('Harbour')
  const operator = await OperatorClient.create(installation, operatorApi, tenantId, 'all duties')
  const token = await api.token(await installation.issueCredential(tenantId, { requestsPerMinute: 60_000 }))
  await new Fixtures(installation).signer(tenantId, chain)

  const integrator = async (method: string, path: string, body?: unknown): Promise<ApiResponse['body']> => {
    const headers = { 'x-idempotency-key': crypto.randomUUID() }
    const response = await api.call(method, path, { token, headers, ...(body === undefined ? {} : { body }) })
    assert.ok(response.status < 300, response.text)
    return response.body
  }
  const operate = async (path: string, body?: unknown): Promise<ApiResponse['body']> => {
    const response = await operator.post(path, body)
    assert.ok(response.status < 300, response.text)
    return response.body
  }

  /** Creates an approved account with a proven wallet. */
  async function investor(): Promise<{ accountId: string; owner: WalletOwner; walletId: string }> {
    const { id: accountId } = await integrator('POST', '/accounts', { ...individual, kyc: { status: 'APPROVED' } })
    return { accountId, ...(await walletOf(accountId)) }
  }

  async function walletOf(accountId: string): Promise<{ owner: WalletOwner; walletId: string }> {
    const owner = new WalletOwner()
    const wallet = await owner.register(operator, accountId, { blockchain: 'anvil' })
    assert.equal((await wallet.prove()).status, 200)
    await chain.fundGas(owner.address as `0x${string}`)
    return { owner, walletId: wallet.id }
  }

  test('has a confirmed MINT and a balance; transfers by investors are SEND, RECEIVE and TRANSFER', async () => {
    const { id: offeringId } = await operate('/offerings', { ...newOffering, blockchain: 'anvil' })
    await operate(`/offerings/${offeringId}/open`)
    const [ann, bob] = [await investor(), await investor()]
    const buy = async (accountId: string) => {
      const order = { account_id: accountId, units: '1000000000' }
      const { id, total_amount: total } = await integrator('POST', `/offerings/${offeringId}/orders`, order)
      const payment = { amount: String(total), currency: 'EUR', reference: id, received_at: '2026-07-02T10:00:00Z' }
      await operate(`/orders/${id}/payments`, payment)
      return id
    }
    const orders = [await buy(ann.accountId), await buy(bob.accountId)]
    for (const id of orders)
      await until(
        'the order is MINTED',
        async () => (await integrator('GET', `/offerings/${offeringId}/orders/${id}`)).status === 'MINTED',
      )
    const { token_address: address } = await integrator('GET', `/offerings/${offeringId}`)
    assert.match(address, /^0x[0-9a-fA-F]{40}$/)
    const transactions = async (accountId: string) =>
      (await integrator('GET', `/accounts/${accountId}/transactions?direction=asc`)).results
    const [mint] = await transactions(ann.accountId)
    assert.deepEqual(
      [mint.transaction_type, mint.status, mint.tx_from, mint.units, mint.wallet_id],
      ['MINT', 'confirmed', null, '1000000000', ann.walletId],
    )
    const balances = async (accountId: string) =>
      (await integrator('GET', `/accounts/${accountId}/wallets/balances`)).results.map(
        ({ wallet_id, balance }: Record<string, string>) => [wallet_id, balance],
      )
    assert.deepEqual(await balances(ann.accountId), [[ann.walletId, '1000000000']])

    // Ann transfers to Bob and to her second wallet. A third order registers that wallet with the token.
    const second = await walletOf(ann.accountId)
    await operate(`/accounts/${ann.accountId}/wallets/${ann.walletId}/suspend`, {
      reason: 'the next mint uses the other wallet',
    })
    const third = await buy(ann.accountId)
    await until(
      'the third order is MINTED',
      async () => (await integrator('GET', `/offerings/${offeringId}/orders/${third}`)).status === 'MINTED',
    )
    // A suspended wallet can send nothing, so it is resumed first.
    const canSend = () => readToken<boolean>(chain, address, 'canSend', [ann.owner.address])
    await until('the suspended wallet is unregistered', async () => !(await canSend()))
    await operate(`/accounts/${ann.accountId}/wallets/${ann.walletId}/resume`, { reason: 'for the transfers' })
    await until('the wallet is registered again', canSend)
    await ann.owner.transfer(chain, address, bob.owner.address, 300_000_000n)
    await ann.owner.transfer(chain, address, second.owner.address, 100_000_000n)
    const kinds = async (accountId: string) =>
      (await transactions(accountId)).map(
        ({ transaction_type, status, units }: Record<string, string>) => `${transaction_type} ${status} ${units}`,
      )
    await until(
      'the transfers are confirmed',
      async () => (await kinds(ann.accountId)).filter((one: string) => /confirmed/.test(one)).length === 4,
    )
    assert.deepEqual(await kinds(ann.accountId), [
      'MINT confirmed 1000000000',
      'MINT confirmed 1000000000',
      'SEND confirmed 300000000',
      'TRANSFER confirmed 100000000',
    ])
    assert.deepEqual(await kinds(bob.accountId), ['MINT confirmed 1000000000', 'RECEIVE confirmed 300000000'])
    assert.deepEqual(await balances(bob.accountId), [[bob.walletId, '1300000000']])
    assert.deepEqual(Object.fromEntries(await balances(ann.accountId)), {
      [ann.walletId]: '600000000',
      [second.walletId]: '1100000000',
    })
  })
})
