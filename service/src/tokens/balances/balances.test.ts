import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { TestTenant } from '../../../test/harness/data/tenant.ts'
import { assertError } from '../../../test/harness/installation/api-client.ts'
import { sharedInstallation } from '../../../test/harness/installation/shared-installation.ts'
import { pluck } from '../../../test/harness/pluck.ts'
import { walletProviders, walletStatuses, walletTypes } from '../../sales/wallets/wallet.schema.ts'

/**
 * Providers of wallets on other chains than EVM chains. The service reads none of these chains, so their wallets stay
 * PENDING.
 */
const nativeWallets: Partial<Record<string, { public_address: string; status: string }>> = {
  STELLAR: { public_address: 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ', status: 'PENDING' },
  CONCORDIUM: { public_address: '3TdFQK6hqoqoW38JQJGZ2y3RZfgVPzwB7dMKXbBdeYvdwPeF63', status: 'PENDING' },
}

describe('wallets, balances and transactions', async () => {
  const installation = await sharedInstallation()
  after(() => installation.end())
  const api = await installation.startApi()
  const tenant = await TestTenant.create(installation, api)
  const accountId = await tenant.account()
  const offeringId = await tenant.fixtures.offering(tenant.id, { logo: 'https://example.com/logo.svg' })
  const walletId = await tenant.fixtures.wallet(tenant.id, accountId, { name: 'Tresor' })
  const address = (await tenant.get(`/accounts/${accountId}/wallets/${walletId}`)).body.public_address

  const holding = () => ({ tenantId: tenant.id, accountId, walletId, offeringId })

  test('R142, R143, R144, R145, R146: a list of wallets has an envelope, a single wallet has none, both have six members', async () => {
    assert.match(address, /^0x[0-9a-fA-F]{40}$/)
    const wallet = {
      id: walletId,
      public_address: address,
      name: 'Tresor',
      provider: 'METAMASK',
      type: 'BROWSER_WALLET',
      status: 'ACTIVE',
    }
    const { body } = await tenant.get(`/accounts/${accountId}/wallets`)
    assert.deepEqual(Object.keys(body).toSorted(), ['pagination', 'results'])
    assert.deepEqual(body.results, [wallet])
    assert.deepEqual((await tenant.get(`/accounts/${accountId}/wallets/${walletId}`)).body, wallet)
  })

  test('R147, R148, R149, R257: every provider, type and status is accepted and returned', async () => {
    const owner = await tenant.account()
    const kinds = [
      ...walletProviders.map((provider) => ({ provider, ...nativeWallets[provider] })),
      ...walletTypes.map((type) => ({ type })),
      ...walletStatuses.map((status) => ({ status })),
    ]
    for (const kind of kinds) {
      const id = await tenant.fixtures.wallet(tenant.id, owner, kind)
      const { body } = await tenant.get(`/accounts/${owner}/wallets/${id}`)
      assert.deepEqual({ ...body, ...kind }, body)
    }
    assert.equal((await tenant.get(`/accounts/${owner}/wallets`)).body.pagination.count, kinds.length)
  })

  test('R150, Q075: a wallet of another account is 404, an invalid id 400', async () => {
    const other = await tenant.account()
    assertError(await tenant.get(`/accounts/${other}/wallets/${walletId}`), 404, 'not_found')
    assertError(await tenant.get(`/accounts/${accountId}/wallets/x`), 400, 'validation_failed')
  })

  test('R004: wallets/balances lists balances; wallets/Balances is an invalid wallet id', async () => {
    const { body } = await tenant.get(`/accounts/${accountId}/wallets/balances`)
    assert.ok(body.pagination)
    assertError(await tenant.get(`/accounts/${accountId}/wallets/Balances`), 400, 'validation_failed')
    assert.equal((await tenant.get(`/accounts/${accountId}/wallets/${walletId}`)).body.pagination, undefined)
  })

  test('R151, R152, R153, R154, R253, R254: a balance has nine members, exact units and a logo that may be empty', async () => {
    const balance = '123456789012345678901234567890'
    await tenant.fixtures.balance(holding(), balance)
    const plain = await tenant.fixtures.offering(tenant.id, { decimals: 0, total_units: '1000' })
    await tenant.fixtures.balance({ ...holding(), offeringId: plain }, '0')
    const { body } = await tenant.get(`/accounts/${accountId}/wallets/balances`)
    const [zero, big] = body.results
    assert.deepEqual(big, {
      account_id: accountId,
      wallet_id: walletId,
      wallet_address: address,
      offering_id: offeringId,
      name: 'Harbour Bond',
      logo: 'https://example.com/logo.svg',
      symbol: 'HARB',
      decimals: 8,
      balance,
    })
    assert.deepEqual([zero.balance, zero.logo, zero.decimals], ['0', '', 0])
  })

  test('R155, Q069: lang, language and locale select the language of the name, with five values', async () => {
    const owner = await tenant.account()
    const wallet = await tenant.fixtures.wallet(tenant.id, owner)
    const translated = await tenant.fixtures.offering(tenant.id, { names: { de: 'Hafenanleihe' } })
    await tenant.fixtures.balance(
      { tenantId: tenant.id, accountId: owner, walletId: wallet, offeringId: translated },
      '1',
    )
    const nameWith = async (query: string) =>
      (await tenant.get(`/accounts/${owner}/wallets/balances${query}`)).body.results[0].name
    assert.equal(await nameWith(''), 'Harbour Bond')
    for (const parameter of ['lang', 'language', 'locale']) {
      assert.equal(await nameWith(`?${parameter}=de`), 'Hafenanleihe')
      for (const language of ['ar', 'en', 'es', 'fr'])
        assert.equal(await nameWith(`?${parameter}=${language}`), 'Harbour Bond')
      for (const wrong of ['it', '', 'DE', 'de-DE'])
        assertError(
          await tenant.get(`/accounts/${owner}/wallets/balances?${parameter}=${wrong}`),
          400,
          'validation_failed',
        )
    }
    assertError(await tenant.get(`/accounts/${owner}/wallets?lang=de`), 400, 'validation_failed')
    const page = (await tenant.get(`/accounts/${owner}/wallets/balances?lang=de&offset=5`)).body.pagination
    assert.match(page.previous, /\?limit=10&offset=0&lang=de$/)
  })

  test('R156 to R163, R258: a transaction has fifteen members, each type and both states', async () => {
    const from = '0xFrom'
    const kinds = [
      { transaction_type: 'MINT', tx_from: null },
      { transaction_type: 'SEND', tx_from: from },
      { transaction_type: 'RECEIVE', tx_from: from, status: 'pending' },
      { transaction_type: 'TRANSFER', tx_from: from },
    ]
    const ids: string[] = []
    for (const kind of kinds) ids.push(await tenant.fixtures.transaction(holding(), kind))
    const { body } = await tenant.get(`/accounts/${accountId}/transactions`)
    assert.deepEqual(Object.keys(body).toSorted(), ['pagination', 'results'])
    assert.deepEqual(pluck(body.results, 'id'), ids.toReversed())
    const [transfer, receive, , mint] = body.results
    assert.deepEqual(mint, {
      id: ids[0],
      account_id: accountId,
      wallet_id: walletId,
      wallet_address: address,
      offering_id: offeringId,
      name: 'Harbour Bond',
      symbol: 'HARB',
      decimals: 8,
      transaction_type: 'MINT',
      transaction_hash: `0x${'ab'.repeat(32)}`,
      units: '1000000000',
      status: 'confirmed',
      tx_from: null,
      tx_to: '0x52908400098527886E0F7030069857D2E4169EE7',
      block_timestamp: '2026-07-02T10:00:00.000Z',
    })
    assert.deepEqual([transfer.transaction_type, transfer.tx_from], ['TRANSFER', from])
    assert.deepEqual([receive.status, receive.block_timestamp], ['pending', '2026-07-02T10:00:00.000Z'])
  })

  test('R164: an account lists only its own transactions', async () => {
    const other = await tenant.account()
    const wallet = await tenant.fixtures.wallet(tenant.id, other)
    await tenant.fixtures.transaction({ ...holding(), accountId: other, walletId: wallet })
    for (const id of [accountId, other]) {
      const { body } = await tenant.get(`/accounts/${id}/transactions`)
      assert.ok(body.results.length > 0)
      assert.ok(body.results.every((row: { account_id: string }) => row.account_id === id))
    }
  })
})
