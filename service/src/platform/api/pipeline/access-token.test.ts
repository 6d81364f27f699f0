import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, randomBytes } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { base64url, SignJWT } from 'jose'
import { Fixtures } from '../../../../test/harness/data/fixtures.ts'
import { assertError } from '../../../../test/harness/installation/api-client.ts'
import { sharedInstallation } from '../../../../test/harness/installation/shared-installation.ts'
import { formatKey } from '../../base/key-ring.ts'

const secret = randomBytes(32)
const olderSecret = randomBytes(32)

/** A possible defect of a forged or expired token. */
interface Forgery {
  header?: Record<string, unknown>
  claims?: Record<string, unknown>
  without?: string
  key?: Buffer
  shiftSeconds?: number
}

describe('bearer tokens', async () => {
  const ring = [formatKey({ id: 'new', secret }), formatKey({ id: 'old', secret: olderSecret })].join()
  const installation = await sharedInstallation({ TOKEN_SIGNING_KEYS: ring })
  after(() => installation.end())
  const api = await installation.startApi()
  const tenantId = await installation.createTenant('A')
  const otherTenantId = await installation.createTenant('B')
  const credential = await installation.issueCredential(tenantId, { requestsPerMinute: 1000 })
  const path = `/offerings/${await new Fixtures(installation).offering(tenantId)}`

  const claimsNow = (shiftSeconds = 0) => {
    const iat = Math.floor(Date.now() / 1000) + shiftSeconds
    return {
      client_id: credential.clientId,
      tenant_id: tenantId,
      scopes: ['offering.read'],
      api_version: '2026-07-02',
      iss: 'st-external-api',
      aud: 'st-api',
      iat,
      exp: iat + 600,
    }
  }

  function forge({ header, claims, without, key = secret, shiftSeconds }: Forgery): string {
    const payload: Record<string, unknown> = { ...claimsNow(shiftSeconds), ...claims }
    if (without) delete payload[without]
    const head = { alg: 'HS256', kid: 'new', typ: 'JWT', ...header }
    const input = `${base64url.encode(JSON.stringify(head))}.${base64url.encode(JSON.stringify(payload))}`
    const digest = { HS384: 'sha384', HS512: 'sha512' }[String(head.alg)] ?? 'sha256'
    return `${input}.${createHmac(digest, key).update(input).digest('base64url')}`
  }
  const call = (token: string) => api.call('GET', path, { token })

  test('R187, R193: a correctly signed token works, so each 401 below has only the cause in its name', async () => {
    assert.equal((await call(forge({}))).status, 200)
    assert.equal((await call(forge({ header: { kid: 'old' }, key: olderSecret }))).status, 200)
    const [first, second] = [await api.token(credential), await api.token(credential)]
    assert.equal((await call(first)).status, 200)
    assert.equal((await call(second)).status, 200)
  })

  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const publicPem = Buffer.from(publicKey.export({ type: 'spki', format: 'pem' }))
  const attackerJwk = { kty: 'oct', k: base64url.encode('attacker attacker attacker attacker') }
  const parts = (token: string) => token.split('.') as [string, string, string]

  const forgeries: Record<string, (valid: string) => string | Promise<string>> = {
    'alg none without a signature': (valid) => `${base64url.encode('{"alg":"none","kid":"new"}')}.${parts(valid)[1]}.`,
    'alg none with the old signature': (valid) =>
      `${base64url.encode('{"alg":"none","kid":"new"}')}.${parts(valid)[1]}.${parts(valid)[2]}`,
    'alg NoNe': () => forge({ header: { alg: 'NoNe' } }),
    'alg HS384 with our key': () => forge({ header: { alg: 'HS384' } }),
    'alg HS512 with our key': () => forge({ header: { alg: 'HS512' } }),
    'alg hs256 in lower case': () => forge({ header: { alg: 'hs256' } }),
    'alg RS256 with a foreign key': () =>
      new SignJWT(claimsNow()).setProtectedHeader({ alg: 'RS256', kid: 'new' }).sign(privateKey),
    'HS256 with a public key as the secret': () => forge({ key: publicPem }),
    'a key of another environment': () =>
      forge({ key: Buffer.from('development-only token signing key, never use it') }),
    'an empty key': () => forge({ key: Buffer.alloc(0) }),
    'the older key under the new id': () => forge({ key: olderSecret }),
    'an unknown kid': () => forge({ header: { kid: 'other' } }),
    'no kid': () => forge({ header: { kid: undefined } }),
    'a kid that is a path': () => forge({ header: { kid: '../../dev/null' }, key: Buffer.alloc(0) }),
    'a kid named __proto__': () => forge({ header: { kid: '__proto__' } }),
    'its own key in jwk': () =>
      forge({ header: { jwk: attackerJwk }, key: Buffer.from('attacker attacker attacker attacker') }),
    'its own key behind jku': () => forge({ header: { jku: 'http://127.0.0.1:1/keys', kid: 'x' }, key: publicPem }),
    'its own certificate behind x5u': () =>
      forge({ header: { x5u: 'http://127.0.0.1:1/x5', kid: 'x' }, key: publicPem }),
    'a critical extension': () => forge({ header: { crit: ['exp'] } }),
    'an unencoded payload': () => forge({ header: { b64: false, crit: ['b64'] } }),
    'another issuer': () => forge({ claims: { iss: 'st-api' } }),
    'another audience': () => forge({ claims: { aud: 'st-external-api' } }),
    'no issuer': () => forge({ without: 'iss' }),
    'no audience': () => forge({ without: 'aud' }),
    'no expiry': () => forge({ without: 'exp' }),
    'no issue time': () => forge({ without: 'iat' }),
    'no client': () => forge({ without: 'client_id' }),
    'no tenant': () => forge({ without: 'tenant_id' }),
    'no scopes': () => forge({ without: 'scopes' }),
    'no version': () => forge({ without: 'api_version' }),
    'scopes as a string': () => forge({ claims: { scopes: 'offering.read' } }),
    'a scope that does not exist': () => forge({ claims: { scopes: ['offering.read', 'everything'] } }),
    'a version that does not exist': () => forge({ claims: { api_version: '2026-07-03' } }),
    'a client that does not exist': () => forge({ claims: { client_id: crypto.randomUUID() } }),
    'a client that is not a UUID': () => forge({ claims: { client_id: "' or 1=1 --" } }),
    "another tenant's id": () => forge({ claims: { tenant_id: otherTenantId } }),
    'a longer lifetime': () => forge({ claims: { exp: Math.floor(Date.now() / 1000) + 86_400 } }),
    'an expiry that is a string': () => forge({ claims: { exp: '9999999999' } }),
    'an issue time in the future': () => forge({ shiftSeconds: 120 }),
    'a not-before in the future': () => forge({ claims: { nbf: Math.floor(Date.now() / 1000) + 120 } }),
    'R190: exactly 600 s old': () => forge({ shiftSeconds: -600 }),
    'R190: 601 s old': () => forge({ shiftSeconds: -601 }),
    'a day old': () => forge({ shiftSeconds: -86_400 }),
    'a changed payload': (valid) => {
      const [head, , signature] = parts(valid)
      return `${head}.${base64url.encode(JSON.stringify({ ...claimsNow(), scopes: ['order.delete'] }))}.${signature}`
    },
    'a changed signature': (valid) => valid.slice(0, -3) + (valid.endsWith('AAA') ? 'BBB' : 'AAA'),
    'no signature': (valid) => valid.slice(0, valid.lastIndexOf('.') + 1),
    'two parts': (valid) => parts(valid).slice(0, 2).join('.'),
    'four parts': (valid) => `${valid}.x`,
    'a payload that is not JSON': () => {
      const input = `${base64url.encode('{"alg":"HS256","kid":"new"}')}.${base64url.encode('x')}`
      return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
    },
    garbage: () => 'garbage',
  }

  for (const [what, make] of Object.entries(forgeries))
    test(`R193: 401: ${what}`, async () => {
      const response = await call(await make(forge({})))
      assert.equal(response.status, 401, response.text)
      assert.match(response.body.error.code, /^token_(invalid|expired|revoked)$/)
      assert.equal(response.headers.get('www-authenticate'), 'Bearer')
    })

  test('the list above has at least thirty forged or expired tokens', () => {
    assert.ok(Object.keys(forgeries).length >= 30)
  })

  test('R190: a token works at 599 s and is token_expired at 600 s', async () => {
    assert.equal((await call(forge({ shiftSeconds: -598 }))).status, 200)
    assertError(await call(forge({ shiftSeconds: -600 })), 401, 'token_expired')
    assert.equal((await call(await api.token(credential))).status, 200)
  })

  test('R190, R193: a token that was accepted is rejected once a character changes, and once it expires', async () => {
    const accepted = forge({ shiftSeconds: -597 })
    assert.equal((await call(accepted)).status, 200)
    for (const index of [accepted.indexOf('.') + 2, accepted.lastIndexOf('.') + 2]) {
      const other = accepted[index] === 'A' ? 'B' : 'A'
      const changed = accepted.slice(0, index) + other + accepted.slice(index + 1)
      assertError(await call(changed), 401, 'token_invalid')
    }
    await sleep(3_000)
    assertError(await call(accepted), 401, 'token_expired')
  })

  test('R192, R193: the Authorization header must be Bearer and one token', async () => {
    const valid = forge({})
    assertError(await api.call('GET', path), 401, 'token_missing')
    for (const authorization of ['', 'Bearer', 'Bearer ', `Basic ${valid}`, valid, `Bearer ${valid} x`])
      assert.equal((await api.call('GET', path, { headers: { authorization } })).status, 401, authorization)
    for (const scheme of ['bearer', 'BEARER', 'Bearer'])
      assert.equal((await api.call('GET', path, { headers: { authorization: `${scheme} ${valid}` } })).status, 200)
  })

  test('R195: a token of another environment is rejected', async () => {
    const elsewhere = await installation.startApi({ TOKEN_SIGNING_KEYS: formatKey({ id: 'new', secret: olderSecret }) })
    assertError(await elsewhere.call('GET', path, { token: forge({}) }), 401, 'token_invalid')
  })
})
