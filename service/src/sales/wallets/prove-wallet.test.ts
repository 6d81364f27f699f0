import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { parseSiweMessage } from 'viem/siwe'
import { DirectOperations } from '../../../test/harness/callers/operations.ts'
import { WalletOwner } from '../../../test/harness/chain/wallet-owner.ts'
import { recordedChanges, recordedEvents } from '../../../test/harness/data/recorded.ts'
import { TestTenant } from '../../../test/harness/data/tenant.ts'
import { assertError } from '../../../test/harness/installation/api-client.ts'
import { sharedInstallation } from '../../../test/harness/installation/shared-installation.ts'
import { pluck } from '../../../test/harness/pluck.ts'
import { findMintPreconditions } from '../orders/mint-preconditions.ts'
import { lockOrder } from '../orders/order-transition.sql.ts'

describe('wallets that integrators register and prove', async () => {
  const installation = await sharedInstallation({ WALLET_PROOF_URL: 'https://invest.example.com' })
  after(() => installation.end())
  const api = await installation.startApi()
  let tenant: TestTenant
  let accountId: string
  let owner: WalletOwner

  beforeEach(async () => {
    tenant = await TestTenant.create(installation, api)
    accountId = await tenant.account()
    owner = new WalletOwner()
  })

  const register = async (who = owner, change: object = {}, account = accountId, by = tenant) => {
    const response = await by.post(`/accounts/${account}/wallets`, who.body(change))
    assert.equal(response.status, 201, response.text)
    return { response, ...(response.body as { id: string; challenge: string; challenge_expires_at: string }) }
  }
  const challenge = (id: string, by = tenant) => by.post(`/accounts/${accountId}/wallets/${id}/challenge`, undefined)
  const prove = async (id: string, message: string, { by = tenant, account = accountId, who = owner } = {}) =>
    by.post(`/accounts/${account}/wallets/${id}/prove`, { message, signature: await who.sign(message) })
  const setDomain = (tenantId: string, domain: string | null) =>
    installation.rows('update cell.tenant_settings set wallet_proof_url = $2 where tenant_id = $1', [
      tenantId,
      domain && `https://${domain}`,
    ])

  test('R260: the owner signs for site, account, wallet, address, chain and nonce, and the wallet is ACTIVE', async () => {
    const { response, id, challenge: message, challenge_expires_at } = await register(owner, { blockchain: 'base' })
    const { status, body, headers } = response
    assert.deepEqual([status, body.status, body.blockchain, body.account_id], [201, 'PENDING', 'base', accountId])
    assert.equal(headers.get('location'), `${api.baseUrl}/api/accounts/${accountId}/wallets/${id}`)
    const signed = parseSiweMessage(message)
    assert.deepEqual(
      [signed.domain, signed.uri, signed.resources, signed.requestId, signed.address, signed.chainId],
      ['invest.example.com', 'https://invest.example.com', [`urn:uuid:${accountId}`], id, owner.address, 8453],
    )
    assert.match(signed.nonce ?? '', /^[0-9a-f]{32}$/)
    assert.equal(signed.expirationTime?.toISOString(), challenge_expires_at)
    const proven = await prove(id, message)
    assert.equal(proven.status, 200, proven.text)
    const { public_address, status: proved } = proven.body
    assert.deepEqual([public_address, proved], [owner.address, 'ACTIVE'])
    assert.deepEqual(proven.body, (await tenant.get(`/accounts/${accountId}/wallets/${id}`)).body)
    const types = pluck(await recordedEvents(installation, tenant.id), 'type')
    assert.deepEqual(types.slice(-2), ['wallet.registered', 'wallet.activated'])
  })

  test('operators see such a wallet, and the audit log names the credential', async () => {
    const operators = await installation.operatorApi()
    const { id, challenge: message } = await register()
    await prove(id, message)
    const wallet = await operators.call(tenant.id, 'GET', `/accounts/${accountId}/wallets/${id}`)
    assert.deepEqual([wallet.status, wallet.blockchain], ['ACTIVE', 'ethereum'])
    const changes = await recordedChanges(installation, id)
    assert.deepEqual(pluck(changes, 'action'), ['wallet.registered', 'wallet.activated'])
    const { results } = await operators.call(tenant.id, 'GET', `/audit?subject_id=${id}`)
    const actors = results.map(({ actor_type, actor_id }: Record<string, string>) => `${actor_type} ${actor_id}`)
    assert.deepEqual(new Set(actors), new Set([`credential ${tenant.clientId}`]))
  })

  test("the site is the tenant's own setting, and a message for another site is rejected", async () => {
    await setDomain(tenant.id, 'shop.example:8443')
    const { id, challenge: message } = await register()
    const { domain, uri } = parseSiweMessage(message)
    assert.deepEqual([domain, uri], ['shop.example:8443', 'https://shop.example:8443'])
    const forged = message.replaceAll('shop.example:8443', 'invest.example.com')
    const rejected = await prove(id, forged)
    assertError(rejected, 409, 'wallet_proof_invalid')
    assert.equal(rejected.body.error.message, 'The message is for another domain than shop.example:8443.')
    await setDomain(tenant.id, 'new.example')
    assertError(await prove(id, message), 409, 'wallet_proof_invalid')
    const { body } = await challenge(id)
    assert.equal(parseSiweMessage(body.challenge).domain, 'new.example')
    assert.equal((await prove(id, body.challenge)).status, 200)
  })

  test('a signature for another account, wallet or statement does not prove this one', async () => {
    const { id, challenge: message } = await register()
    const other = crypto.randomUUID()
    for (const changed of [
      message.replace(accountId, other),
      message.replace(`Request ID: ${id}`, `Request ID: ${other}`),
      message.replace('I own this wallet', 'I like this wallet'),
      message.replace(/Issued At: \d{4}/, 'Issued At: 2020'),
      `${message}\n- urn:uuid:${other}`,
    ]) {
      assert.notEqual(changed, message)
      const rejected = await prove(id, changed)
      assertError(rejected, 409, 'wallet_proof_invalid')
      assert.match(rejected.body.error.message, /word for word/)
    }
    assert.equal((await prove(id, message)).status, 200)
  })

  test("a tenant neither finds another tenant's wallet nor proves it with what its owner signed there", async () => {
    const other = await TestTenant.create(installation, api)
    const otherAccount = await other.account()
    const { id, challenge: message } = await register()
    const theirs = await register(owner, {}, otherAccount, other)
    for (const response of [
      await other.post(`/accounts/${accountId}/wallets`, new WalletOwner().body()),
      await challenge(id, other),
      await prove(id, message, { by: other }),
    ])
      assertError(response, 404, 'not_found')
    const foreign = await prove(theirs.id, message, { by: other, account: otherAccount })
    assertError(foreign, 409, 'wallet_proof_invalid')
    assertError(await prove(id, theirs.challenge), 409, 'wallet_proof_invalid')
    assertError(await prove(id, message, { who: new WalletOwner() }), 409, 'wallet_proof_invalid')
    assert.equal((await tenant.get(`/accounts/${accountId}/wallets/${id}`)).body.status, 'PENDING')
    assert.equal((await prove(id, message)).status, 200)
  })

  test('a challenge is accepted once, and one that was replaced never', async () => {
    const { id, challenge: message } = await register()
    const again = await challenge(id)
    assert.deepEqual([again.status, again.body.challenge], [200, message], 'a challenge younger than a minute stays')
    await installation.rows(
      `update cell.wallet set challenge_expires_at = challenge_expires_at - interval '61 s' where id = $1`,
      [id],
    )
    const renewed = (await challenge(id)).body.challenge
    assert.notEqual(renewed, message)
    assertError(await prove(id, message), 409, 'wallet_proof_invalid')
    assert.equal((await prove(id, renewed)).status, 200)
    assertError(await prove(id, renewed), 409, 'wallet_not_provable')
    assertError(await challenge(id), 409, 'wallet_not_reopenable')
  })

  test('an account has at most ten PENDING wallets, even if they are registered at once', async () => {
    const path = `/accounts/${accountId}/wallets`
    const responses = await Promise.all(Array.from({ length: 14 }, () => tenant.post(path, new WalletOwner().body())))
    const rejected = responses.filter(({ status }) => status !== 201)
    assert.equal(rejected.length, 4)
    for (const response of rejected) assertError(response, 409, 'too_many_pending_wallets')
    assert.equal((await tenant.get(`${path}?limit=50`)).body.pagination.count, 10)
    const [first] = responses.filter(({ status }) => status === 201)
    const someone = await tenant.account()
    assert.equal((await tenant.post(`/accounts/${someone}/wallets`, new WalletOwner().body())).status, 201)
    assert.ok(first)
  })

  test('a wallet that is proven after an order was paid does not receive its tokens', async () => {
    const intruder = new WalletOwner()
    const early = await register(intruder)
    const { id, challenge: message } = await register()
    await prove(id, message)
    const offeringId = await tenant.fixtures.offering(tenant.id)
    const orderId = await tenant.order(offeringId, accountId)
    await tenant.fixtures.pay(tenant.id, orderId)
    // Registered before the other wallet, so that only the time of the proof distinguishes them.
    assert.equal((await prove(early.id, early.challenge, { who: intruder })).status, 200)
    const facts = await new DirectOperations(installation, tenant.id).write(async (tx) => {
      const order = await lockOrder(tx, { tenantId: tenant.id, orderId })
      assert.equal(order?.status, 'PAID')
      return order && findMintPreconditions(tx, order)
    })
    assert.equal(facts?.walletId, id)
  })
})
