import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { assertError } from '../../../test/harness/installation/api-client.ts'
import { sharedInstallation } from '../../../test/harness/installation/shared-installation.ts'
import { scopes } from '../../platform/api/declare/scopes.ts'
import type { IssuedCredential } from './issue-credential.ts'

describe('POST /auth', async () => {
  const installation = await sharedInstallation()
  after(() => installation.end())
  const api = await installation.startApi()
  const tenantId = await installation.createTenant('A')

  const request = (credential: IssuedCredential, change: Record<string, unknown> = {}) => ({
    body: { client_id: credential.clientId, client_secret: credential.clientSecret, scopes: ['order.read'], ...change },
  })

  test('R178: requires no bearer token and no idempotency key, and ignores an invalid bearer token', async () => {
    const credential = await installation.issueCredential(tenantId)
    assert.equal((await api.call('POST', '/auth', request(credential))).status, 200)
    assert.equal((await api.call('POST', '/auth', { ...request(credential), token: 'garbage' })).status, 200)
    const withKey = { ...request(credential), headers: { 'x-idempotency-key': 'k'.repeat(129) } }
    assert.equal((await api.call('POST', '/auth', withKey)).status, 200)
  })

  for (const [requirement, member] of [
    ['R179', 'client_id'],
    ['R180', 'client_secret'],
  ] as const)
    test(`${requirement}: 400 when ${member} is absent, empty, null or a number, and no failure is counted`, async () => {
      const credential = await installation.issueCredential(tenantId)
      for (const value of [undefined, '', null, 1, ['x'], { a: 1 }]) {
        const response = await api.call('POST', '/auth', request(credential, { [member]: value }))
        assertError(response, 400, 'validation_failed')
        assert.equal(response.body.error.errors[0].pointer, `/${member}`)
      }
      assert.deepEqual(await failuresOf(credential), [])
    })

  test('R181: scopes is an array of one or more of the nine scopes', async () => {
    const credential = await installation.issueCredential(tenantId)
    for (const value of [[], ['foo'], 'order.read', [1], undefined, null, {}])
      assertError(await api.call('POST', '/auth', request(credential, { scopes: value })), 400, 'validation_failed')
    for (const value of [...scopes.map((scope) => [scope]), scopes, ['order.read', 'order.read']])
      assert.equal((await api.call('POST', '/auth', request(credential, { scopes: value }))).status, 200)
    const { access_token } = (
      await api.call('POST', '/auth', request(credential, { scopes: ['order.read', 'order.read'] }))
    ).body
    assert.deepEqual(decodeJwt(access_token)['scopes'], ['order.read'])
  })

  test('R182, R243: api_version is 2026-07-02 or absent', async () => {
    const credential = await installation.issueCredential(tenantId)
    const withDefault = await installation.issueCredential(tenantId, { defaultVersion: '2026-07-02' })
    for (const value of ['2026-07-03', 'x', '', null, 20260702, '2026-07-02 '])
      assertError(
        await api.call('POST', '/auth', request(credential, { api_version: value })),
        400,
        'validation_failed',
      )
    for (const call of [
      request(credential),
      request(withDefault),
      request(credential, { api_version: '2026-07-02' }),
    ]) {
      const response = await api.call('POST', '/auth', call)
      assert.equal(decodeJwt(response.body.access_token)['api_version'], '2026-07-02')
    }
  })

  test('R183, R184, R185, R012: exactly access_token, token_type Bearer and expires_at equal to exp', async () => {
    const credential = await installation.issueCredential(tenantId)
    const { body, headers } = await api.auth(credential)
    assert.deepEqual(Object.keys(body).toSorted(), ['access_token', 'expires_at', 'token_type'])
    assert.equal(body.token_type, 'Bearer')
    assert.match(body.expires_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/)
    assert.equal(Date.parse(body.expires_at) / 1000, decodeJwt(body.access_token).exp)
    assert.ok(Math.abs(Date.parse(body.expires_at) - Date.now() - 600_000) <= 2_000)
    assert.equal(headers.get('cache-control'), 'no-store')
  })

  test('R189, R190, R191, R241: the token is an HS256 JWT with exactly the eight claims and valid for 600 s', async () => {
    const credential = await installation.issueCredential(tenantId)
    const { access_token } = (await api.auth(credential, ['order.read', 'account.read'])).body
    assert.equal(decodeProtectedHeader(access_token).alg, 'HS256')
    const { iat = 0, exp = 0, ...claims } = decodeJwt(access_token)
    assert.equal(exp - iat, 600)
    assert.deepEqual(claims, {
      client_id: credential.clientId,
      tenant_id: tenantId,
      scopes: ['order.read', 'account.read'],
      api_version: '2026-07-02',
      iss: 'st-external-api',
      aud: 'st-api',
    })
  })

  test('R186: a wrong secret and an unknown client get the same status, body and header names', async () => {
    const credential = await installation.issueCredential(tenantId)
    const wrong = await api.call('POST', '/auth', request(credential, { client_secret: 'wrong' }))
    assertError(wrong, 401, 'invalid_client')
    assert.equal(wrong.headers.get('www-authenticate'), 'Bearer')
    const unknownIds = [crypto.randomUUID(), 'no-uuid', '00000000-0000-0000-0000-000000000000', 'ü'.repeat(300)]
    for (const clientId of unknownIds) {
      const unknown = await api.call('POST', '/auth', request(credential, { client_id: clientId }))
      assert.deepEqual([unknown.status, unknown.text], [wrong.status, wrong.text])
      assert.deepEqual([...unknown.headers.keys()].toSorted(), [...wrong.headers.keys()].toSorted())
    }
  })

  test('R186: a wrong secret and an unknown client take the same time', async () => {
    const credential = await installation.issueCredential(tenantId)
    const times: { wrong: number[]; unknown: number[] } = { wrong: [], unknown: [] }
    for (let run = 0; run < 15; run++)
      for (const [kind, change] of [
        ['wrong', { client_secret: 'wrong' }],
        ['unknown', { client_id: crypto.randomUUID() }],
      ] as const) {
        const startedAt = performance.now()
        await api.call('POST', '/auth', request(credential, change))
        times[kind].push(performance.now() - startedAt)
      }
    // Compares the minimum of each: a busy machine only makes a response slower.
    const [wrong, unknown] = [Math.min(...times.wrong), Math.min(...times.unknown)]
    assert.ok(
      Math.abs(wrong - unknown) < 5,
      `wrong secret ${wrong.toFixed(1)} ms, unknown client ${unknown.toFixed(1)} ms`,
    )
    assert.ok(Math.min(wrong, unknown) >= 99, 'a rejection came before the minimum time')
  })

  test('R186: a scope that is not granted is 403, is named, and is not counted as a failed attempt', async () => {
    const credential = await installation.issueCredential(tenantId, { scopes: ['order.read'] })
    const response = await api.auth(credential, ['order.read', 'account.read'])
    assertError(response, 403, 'scope_not_granted')
    assert.match(response.body.error.message, /account\.read/)
    assert.deepEqual(await failuresOf(credential), [])
  })

  test('R188: unknown members such as grant_type are ignored', async () => {
    const credential = await installation.issueCredential(tenantId)
    const response = await api.call('POST', '/auth', request(credential, { grant_type: 'client_credentials' }))
    assert.equal(response.status, 200)
  })

  test('R009: the client id is accepted in upper case; the claim is in lower case', async () => {
    const credential = await installation.issueCredential(tenantId)
    const response = await api.call(
      'POST',
      '/auth',
      request(credential, { client_id: credential.clientId.toUpperCase() }),
    )
    assert.equal(decodeJwt(response.body.access_token)['client_id'], credential.clientId)
  })

  test('Q095: a form body and HTTP Basic authentication are not supported', async () => {
    const credential = await installation.issueCredential(tenantId)
    const form = new URLSearchParams({
      client_id: credential.clientId,
      client_secret: credential.clientSecret,
    }).toString()
    const sent = { body: form, headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    assertError(await api.call('POST', '/auth', sent), 415, 'unsupported_media_type')
    const basic = Buffer.from(`${credential.clientId}:${credential.clientSecret}`).toString('base64')
    const inHeader = { body: { scopes: ['order.read'] }, headers: { authorization: `Basic ${basic}` } }
    assertError(await api.call('POST', '/auth', inHeader), 400, 'validation_failed')
  })

  async function failuresOf({ clientId }: IssuedCredential): Promise<unknown[]> {
    return installation.rows('select consecutive from directory.failed_authentication where credential_id = $1', [
      clientId,
    ])
  }
})
