import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { parseSiweMessage } from 'viem/siwe'
import { OperatorClient } from '../../../../test/harness/callers/operator-client.ts'
import { nativeAddresses } from '../../../../test/harness/chain/native-addresses.ts'
import { type RegisteredWallet, WalletOwner } from '../../../../test/harness/chain/wallet-owner.ts'
import { mintPreconditionChecks, recordedChanges, recordedEvents } from '../../../../test/harness/data/recorded.ts'
import { TestTenant } from '../../../../test/harness/data/tenant.ts'
import { assertError, assertInvalid } from '../../../../test/harness/installation/api-client.ts'
import { sharedInstallation } from '../../../../test/harness/installation/shared-installation.ts'
import { pluck } from '../../../../test/harness/pluck.ts'
import { competeFor } from '../../../../test/harness/wait.ts'

describe('the ownership proof of a wallet', async () => {
  const installation = await sharedInstallation({ WALLET_PROOF_URL: 'https://invest.example.com' })
  after(() => installation.end())
  const [api, operatorApi] = await Promise.all([installation.startApi(), installation.startOperatorApi()])
  let tenant: TestTenant
  let operator: OperatorClient
  let accountId: string
  let owner: WalletOwner

  beforeEach(async () => {
    tenant = await TestTenant.create(installation, api)
    operator = await OperatorClient.create(installation, operatorApi, tenant.id)
    accountId = await tenant.account()
    owner = new WalletOwner()
  })

  const register = (body: object) => operator.post(`/accounts/${accountId}/wallets`, body)
  const eventTypes = async () => pluck((await recordedEvents(installation, tenant.id)).slice(1), 'type')

  /** Asserts that the proof is rejected with this message and that nothing changed. */
  async function assertRejected(wallet: RegisteredWallet, message: string, problem: RegExp): Promise<void> {
    const earlier = [await wallet.read(), await recordedChanges(installation, wallet.id), await eventTypes()]
    const response = await wallet.prove(message)
    assertError(response, 409, 'wallet_proof_invalid')
    assert.match(response.body.error.message, problem)
    assert.deepEqual([await wallet.read(), await recordedChanges(installation, wallet.id), await eventTypes()], earlier)
  }

  test('registering a wallet returns an EIP-4361 message to sign that is valid for 24 hours', async () => {
    const response = await register(owner.body({ public_address: owner.address.toLowerCase(), blockchain: 'polygon' }))
    assert.equal(response.status, 201, response.text)
    const { id, challenge, challenge_expires_at, created_at, ...wallet } = response.body
    assert.deepEqual(wallet, {
      account_id: accountId,
      public_address: owner.address,
      blockchain: 'polygon',
      name: 'Main wallet',
      provider: 'METAMASK',
      type: 'BROWSER_WALLET',
      status: 'PENDING',
      proven_at: null,
    })
    const parsed = parseSiweMessage(challenge)
    assert.deepEqual(
      [parsed.address, parsed.domain, parsed.uri, parsed.chainId, parsed.version],
      [owner.address, 'invest.example.com', 'https://invest.example.com', 137, '1'],
    )
    assert.match(parsed.nonce ?? '', /^[0-9a-f]{32}$/)
    assert.equal(parsed.expirationTime?.toISOString(), challenge_expires_at)
    assert.equal(Number(parsed.expirationTime) - Number(parsed.issuedAt), 24 * 3_600_000)
    const path = `/accounts/${accountId}/wallets/${id}`
    assert.equal(response.headers.get('location'), `${operatorApi.baseUrl}/operator${path}`)
    const read = (await operator.get(path)).body
    assert.deepEqual(read, { id, ...wallet, challenge_expires_at, created_at })
    assert.deepEqual((await operator.get(`/accounts/${accountId}/wallets`)).body.results, [read])
    assert.equal((await tenant.get(path)).body.status, 'PENDING')
    const data = { wallet_id: id, account_id: accountId, blockchain: 'polygon', status: 'PENDING' }
    assert.deepEqual((await recordedEvents(installation, tenant.id)).at(-1), { type: 'wallet.registered', data })
    assert.deepEqual(pluck(await recordedChanges(installation, id), 'action'), ['wallet.registered'])
  })

  test('an address is accepted with its checksum or in lower case, and rejected with a wrong checksum', async () => {
    const right = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
    for (const public_address of [
      right.replace('a', 'A'),
      `0x${right.slice(2).toUpperCase()}`,
      right.slice(0, -1),
      `${right}0`,
      right.slice(2),
      right.replace('0x', '0X'),
      '0xg'.padEnd(42, '0'),
      '',
    ]) {
      assertInvalid(await register(owner.body({ public_address })), '/public_address')
    }
    for (const change of [{ blockchain: 'stellar' }, { name: '' }, { provider: 'X' }, { type: 'X' }])
      assertInvalid(await register(owner.body(change)))
    assert.equal((await operator.get(`/accounts/${accountId}/wallets`)).body.pagination.count, 0)
    assert.equal((await register(owner.body({ public_address: right }))).status, 201)
  })

  for (const { provider, blockchain, addresses, wrong } of nativeAddresses)
    test(`R147, Q076: a ${provider} address is registered in its own form, and stays PENDING without a challenge`, async () => {
      const body = (change: object) => owner.body({ provider, ...change })
      for (const public_address of [...wrong, owner.address]) {
        assertInvalid(await register(body({ public_address })), '/public_address')
      }
      const [first = '', second = ''] = addresses
      const elsewhere = await register(body({ public_address: first, blockchain: 'ethereum' }))
      assert.equal(elsewhere.body.error?.errors[0].pointer, '/blockchain', elsewhere.text)
      assertInvalid(await register(owner.body({ public_address: first })))

      const registered = await register(body({ public_address: first }))
      assert.equal(registered.status, 201, registered.text)
      const { id, challenge, challenge_expires_at, ...wallet } = registered.body
      assert.deepEqual([wallet.public_address, wallet.blockchain], [first, blockchain])
      assert.deepEqual([wallet.status, challenge, challenge_expires_at], ['PENDING', null, null])
      assert.equal((await register(body({ public_address: second, blockchain }))).status, 201)
      assertError(await register(body({ public_address: first })), 409, 'wallet_already_registered')
      const path = `/accounts/${accountId}/wallets/${id}`
      const seen = (await tenant.get(path)).body
      assert.deepEqual([seen.public_address, seen.provider, seen.status], [first, provider, 'PENDING'])
      const proof = { message: 'any', signature: `0x${'5a'.repeat(65)}` }
      assertError(await operator.post(`${path}/prove`, proof), 409, 'wallet_not_provable')
      assertError(await operator.post(`${path}/challenge`), 409, 'wallet_not_reopenable')
    })

  test('an address that the tenant already has, in any case and any account, is 409 and changes nothing', async () => {
    await owner.register(operator, accountId)
    const other = await tenant.account()
    const earlier = await eventTypes()
    for (const [account, public_address] of [
      [accountId, owner.address],
      [other, owner.address],
      [other, owner.address.toLowerCase()],
    ])
      assertError(
        await operator.post(`/accounts/${account}/wallets`, owner.body({ public_address })),
        409,
        'wallet_already_registered',
      )
    assert.equal((await operator.get(`/accounts/${other}/wallets`)).body.pagination.count, 0)
    assert.deepEqual(await eventTypes(), earlier)
    assert.equal((await operator.post(`/accounts/${other}/wallets`, owner.body({ blockchain: 'base' }))).status, 201)
    const otherTenant = await TestTenant.create(installation, api)
    const otherOperator = await OperatorClient.create(installation, operatorApi, otherTenant.id)
    await owner.register(otherOperator, await otherTenant.account())
    assertError(await register(owner.body({ public_address: owner.address })), 409, 'wallet_already_registered')
    const unknown = `/accounts/${crypto.randomUUID()}/wallets`
    assertError(await operator.post(unknown, new WalletOwner().body()), 404, 'not_found')
  })

  test('a challenge that the owner signed activates the wallet once', async () => {
    const wallet = await owner.register(operator, accountId)
    const response = await wallet.prove()
    assert.deepEqual([response.status, response.body.status, response.body.challenge_expires_at], [200, 'ACTIVE', null])
    assert.ok(response.body.proven_at)
    assert.deepEqual(await wallet.read(), response.body)
    assert.deepEqual((await recordedEvents(installation, tenant.id)).at(-1), {
      type: 'wallet.activated',
      data: { wallet_id: wallet.id, account_id: accountId, status: 'ACTIVE', previous_status: 'PENDING' },
    })
    assert.equal(await mintPreconditionChecks(installation, accountId), 1)
    assertError(await wallet.prove(), 409, 'wallet_not_provable')
    await wallet.decide('retire')
    assertError(await wallet.prove(), 409, 'wallet_not_provable')
    const used = wallet.challenge
    await wallet.reopen()
    await assertRejected(wallet, used, /another nonce/)
    assert.equal((await wallet.prove()).status, 200)
  })

  test('a proof for another wallet, nonce, domain or chain is rejected with the reason', async () => {
    const wallet = await owner.register(operator, accountId)
    const { challenge } = wallet
    const other = await new WalletOwner().register(operator, accountId)
    const { nonce = '' } = parseSiweMessage(challenge)
    await assertRejected(wallet, other.challenge, /another address/)
    await assertRejected(wallet, challenge.replace(nonce, 'a'.repeat(32)), /another nonce/)
    await assertRejected(wallet, challenge.replace('invest.example.com wants', 'evil.example wants'), /another domain/)
    await assertRejected(wallet, challenge.replace('Chain ID: 1', 'Chain ID: 137'), /another chain id/)
    await assertRejected(wallet, challenge.replace('Version: 1', 'Version: 2'), /form of EIP-4361/)
    await assertRejected(wallet, challenge.replace(/\nExpiration Time: .*/, ''), /expired/)
    await assertRejected(wallet, challenge.replace(/(Expiration Time: )\d{4}/, '$12001'), /expired/)
    await assertRejected(wallet, `${challenge}\nNot Before: 2999-01-01T00:00:00.000Z`, /word for word/)
    await assertRejected(wallet, 'I own it', /form of EIP-4361/)
    assert.equal((await wallet.prove()).status, 200)
  })

  test('the site of a proof is our setting, whatever host the request names', async () => {
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
    const call = (path: string, body?: object) =>
      operatorApi.call('POST', `/accounts/${accountId}/wallets${path}`, { token: operator.who.token, headers, body })
    const { id, challenge } = (await call('', owner.body())).body
    const again = (await call(`/${id}/challenge`)).body.challenge
    for (const message of [challenge, again]) {
      assert.equal(parseSiweMessage(message).domain, 'invest.example.com')
      assert.doesNotMatch(message, /evil/)
    }
    const message = again.replaceAll('invest.example.com', 'evil.example')
    const response = await call(`/${id}/prove`, { message, signature: await owner.sign(message) })
    assertError(response, 409, 'wallet_proof_invalid')
    assert.equal(response.body.error.message, 'The message is for another domain than invest.example.com.')
    const proof = { message: again, signature: await owner.sign(again) }
    assert.equal((await call(`/${id}/prove`, proof)).status, 200)
  })

  test('links of the operator API start with OPERATOR_BASE_URL, whatever host the request names', async () => {
    const fixed = await installation.startOperatorApi({ OPERATOR_BASE_URL: 'https://operators.example.com' })
    const headers = { host: 'evil.example' }
    const path = `/accounts/${accountId}/wallets`
    const created = await fixed.call('POST', path, { token: operator.who.token, headers, body: owner.body() })
    assert.equal(created.headers.get('location'), `https://operators.example.com/operator${path}/${created.body.id}`)
  })

  test('a signature by another key, of another text or of random bytes is rejected', async () => {
    const wallet = await owner.register(operator, accountId)
    const message = wallet.challenge
    for (const signature of [
      await new WalletOwner().sign(message),
      await owner.sign(`${message} `),
      `0x${'00'.repeat(65)}`,
      `0x${'ff'.repeat(65)}`,
      '0x',
      '0x12',
    ]) {
      const response = await operator.post(`${wallet.path}/prove`, { message, signature })
      assertError(response, 409, 'wallet_proof_invalid')
      assert.match(response.body.error.message, /signature/)
    }
    for (const signature of ['0x1', 'x', `0x${'00'.repeat(8193)}`])
      assertInvalid(await operator.post(`${wallet.path}/prove`, { message, signature }))
    assert.equal((await wallet.read()).status, 'PENDING')
  })

  test('an expired challenge is rejected, even before the worker has expired the wallet', async () => {
    const wallet = await owner.register(operator, accountId)
    await installation.rows(`update cell.wallet set challenge_expires_at = now() where id = $1`, [wallet.id])
    await assertRejected(wallet, wallet.challenge, /expired/)
  })

  test('a new challenge replaces the previous one', async () => {
    const wallet = await owner.register(operator, accountId)
    const first = wallet.challenge
    const response = await wallet.reopen()
    assert.deepEqual([response.status, response.body.status], [200, 'PENDING'])
    await assertRejected(wallet, first, /another nonce/)
    assert.deepEqual(await eventTypes(), ['wallet.registered'])
    assert.equal((await wallet.prove()).status, 200)
  })

  test('a retry with the same key returns the same response, and of two concurrent proofs one succeeds', async () => {
    const key = crypto.randomUUID()
    const path = `/accounts/${accountId}/wallets`
    const [first, second] = [await operator.post(path, owner.body(), key), await operator.post(path, owner.body(), key)]
    assert.deepEqual([second.status, second.body], [201, first.body])
    const { id, challenge: message } = first.body
    const signature = await owner.sign(message)
    const responses = await competeFor(installation, { table: 'cell.wallet', id }, () =>
      [1, 2].map(() => operator.post(`${path}/${id}/prove`, { message, signature })),
    )
    assert.deepEqual(pluck(responses, 'status').toSorted(), [200, 409])
    assert.deepEqual(await eventTypes(), ['wallet.registered', 'wallet.activated'])
  })

  test('a viewer can read wallets but not change them; another tenant cannot find them', async () => {
    const wallet = await owner.register(operator, accountId)
    const viewer = await OperatorClient.create(installation, operatorApi, tenant.id, 'viewer')
    const otherOperator = await OperatorClient.create(installation, operatorApi, await installation.createTenant('S'))
    assert.equal((await viewer.get(wallet.path)).status, 200)
    assertError(await otherOperator.get(wallet.path), 404, 'not_found')
    const signature = await owner.sign(wallet.challenge)
    for (const [move, body] of Object.entries({
      challenge: undefined,
      prove: { message: wallet.challenge, signature },
      suspend: { reason: 'x' },
      resume: { reason: 'x' },
      retire: { reason: 'x' },
    })) {
      assertError(await viewer.post(`${wallet.path}/${move}`, body), 403, 'insufficient_duty')
      assertError(await otherOperator.post(`${wallet.path}/${move}`, body), 404, 'not_found')
    }
    assertError(await viewer.post(`/accounts/${accountId}/wallets`, new WalletOwner().body()), 403, 'insufficient_duty')
    assert.equal((await wallet.read()).status, 'PENDING')
  })
})
