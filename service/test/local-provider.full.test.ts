import assert from 'node:assert/strict'
import { after, describe, type Mock, mock, test } from 'node:test'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
  discovery,
  type IDToken,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import { LocalProvider, localAuthentication } from '../src/dev/local-provider.ts'
import { PageServer } from './harness/browser/page-server.ts'
import { type BrowserPerson, inBrowser, TestBrowser } from './harness/browser/test-browser.ts'

describe('the local provider', inBrowser, async () => {
  let printed: Mock<typeof console.info>[] = []

  printed = [mock.method(console, 'info'), mock.method(console, 'warn'), mock.method(console, 'error')]
  const application = await PageServer.open()
  const redirectUri = `${application.origin}/callback`
  const signedOutUri = `${application.origin}/signed-out`
  const client = { clientId: 'console', clientSecret: 'with %+/: in it', redirectUris: [redirectUri] }
  const backchannelLogoutUri = `${application.origin}/logout-token`
  const clients = [{ ...client, backchannelLogoutUri, postLogoutRedirectUris: [signedOutUri] }]
  const provider = await LocalProvider.open({ clients })
  const configuration = await discovery(new URL(provider.issuer), client.clientId, client.clientSecret, undefined, {
    execute: [allowInsecureRequests],
  })
  const browser = await TestBrowser.launch()
  after(async () => {
    for (const { mock: replaced } of printed) replaced.restore()
    await browser?.close()
    await provider?.stop()
    await application?.close()
  })

  /** Opens the provider. The returned function exchanges the code that the browser brought back. */
  const start = async (person: BrowserPerson, parameters: Record<string, string> = {}) => {
    const [state, nonce, verifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()]
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: 'openid email profile',
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...parameters,
    })
    await person.page.goto(url.href)
    return async () => {
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true }
      const tokens = await authorizationCodeGrant(configuration, new URL(person.page.url()), checks)
      return { claims: tokens.claims() as IDToken, idToken: tokens.id_token ?? '' }
    }
  }
  const signIn = async (person: BrowserPerson, fullName: string, options: { secondFactor?: boolean } = {}) => {
    const finish = await start(person)
    await person.signInAtProvider(fullName, options)
    return finish()
  }
  /** Returns the verified claims of every logout token since the last call. */
  const readLogoutTokens = async () => {
    const keys = createRemoteJWKSet(new URL(`${provider.issuer}/jwks`))
    const expected = { issuer: provider.issuer, audience: 'console', typ: 'logout+jwt' }
    const bodies = application.requests.splice(0).flatMap(({ path, body }) => (path === '/logout-token' ? [body] : []))
    const tokens = bodies.map((body) => new URLSearchParams(body).get('logout_token') ?? '')
    return Promise.all(tokens.map(async (token) => (await jwtVerify(token, keys, expected)).payload))
  }

  test('signs a person in with the claims that the operator API needs', async () => {
    const ada = await browser.person('ada')
    const { claims } = await signIn(ada, 'Ada Lovelace')
    const { sid, auth_time: authTime, exp, iat, nonce, ...others } = claims
    assert.deepEqual(others, {
      iss: provider.issuer,
      aud: 'console',
      sub: 'ada',
      email: 'ada@example.com',
      email_verified: true,
      name: 'Ada Lovelace',
      ...localAuthentication.password,
    })
    assert.equal(typeof sid, 'string')
    assert.equal(typeof nonce, 'string')
    assert.equal(exp - iat, 3600)
    assert.ok(Math.abs(Date.now() / 1000 - (authTime ?? 0)) < 60)
    await ada.close()
  })

  test('says in acr and amr that a second factor was used', async () => {
    const grace = await browser.person('grace')
    const { claims } = await signIn(grace, 'Grace Hopper', { secondFactor: true })
    const { sub, acr, amr } = claims
    assert.deepEqual({ sub, acr, amr }, { sub: 'grace', ...localAuthentication.secondFactor })
    await grace.close()
  })

  test('asks only once per browser, and again with prompt=login', async () => {
    const ada = await browser.person('ada')
    const first = await signIn(ada, 'Ada Lovelace')
    const second = await (await start(ada))()
    assert.deepEqual(
      [second.claims.sid, second.claims.auth_time, second.claims['amr']],
      [first.claims.sid, first.claims.auth_time, ['pwd']],
    )
    const finish = await start(ada, { prompt: 'login' })
    await ada.signInAtProvider('Ada Lovelace', { secondFactor: true })
    assert.deepEqual((await finish()).claims['amr'], ['pwd', 'mfa'])
    await ada.close()
  })

  test('redirects with an error if the person cancels', async () => {
    const ada = await browser.person('ada')
    const finish = await start(ada)
    await ada.page.getByRole('button', { name: 'Cancel' }).click()
    await ada.page.waitForURL(`${redirectUri}?**`)
    await assert.rejects(finish(), { error: 'access_denied' })
    await ada.close()
  })

  test('refuses a redirect_uri that is not registered, and a request without PKCE', async () => {
    const ada = await browser.person('ada')
    await start(ada, { redirect_uri: `${application.origin}/elsewhere` })
    await ada.page.getByRole('heading', { name: 'Sign-in failed' }).waitFor()
    assert.match(await ada.page.locator('main').innerText(), /redirect_uri did not match/)
    assert.deepEqual(application.at('/elsewhere'), [])

    const url = buildAuthorizationUrl(configuration, { redirect_uri: redirectUri, scope: 'openid' })
    await ada.page.goto(url.href)
    const { searchParams } = new URL(ada.page.url())
    assert.equal(searchParams.get('error'), 'invalid_request')
    assert.match(searchParams.get('error_description') ?? '', /PKCE/)
    await ada.close()
  })

  test('sends a signed logout token when a person signs out, and returns to the application', async () => {
    const ada = await browser.person('ada')
    const { claims, idToken } = await signIn(ada, 'Ada Lovelace')
    const parameters = { id_token_hint: idToken, post_logout_redirect_uri: signedOutUri, state: 'a state' }
    await ada.page.goto(buildEndSessionUrl(configuration, parameters).href)
    await ada.page.getByRole('button', { name: 'Sign out' }).click()
    await ada.page.waitForURL(`${signedOutUri}?state=a+state`)
    const [token, ...more] = await readLogoutTokens()
    const { iat = 0, exp = 0, jti, ...others } = token ?? {}
    assert.deepEqual(others, {
      iss: provider.issuer,
      aud: 'console',
      sub: 'ada',
      sid: claims.sid,
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    })
    assert.equal(typeof jti, 'string')
    assert.equal(exp - iat, 120)
    assert.deepEqual(more, [])
    await ada.close()
  })

  test('ends the sessions of one person, without their browser', async () => {
    const [ada, grace] = [await browser.person('ada'), await browser.person('grace')]
    const { claims } = await signIn(ada, 'Ada Lovelace')
    await signIn(grace, 'Grace Hopper')
    await provider.endSessions('ada')
    const tokens = await readLogoutTokens()
    assert.ok(tokens.some((token) => token['sid'] === claims.sid))
    assert.ok(tokens.every((token) => token.sub === 'ada'))
    await start(ada)
    await ada.page.getByRole('heading', { name: 'Sign in' }).waitFor()
    assert.equal((await (await start(grace))()).claims.sub, 'grace')
    await Promise.all([ada.close(), grace.close()])
  })

  test('loads nothing from other hosts and prints nothing', async () => {
    const ada = await browser.person('ada')
    const { idToken } = await signIn(ada, 'Ada Lovelace')
    await ada.page.goto(buildEndSessionUrl(configuration, { id_token_hint: idToken }).href)
    await ada.page.getByRole('button', { name: 'Sign out' }).click()
    await ada.page.getByRole('heading', { name: 'Signed out' }).waitFor()
    await ada.page.goto(`${provider.issuer}/interaction/unknown`)
    await ada.page.getByRole('heading', { name: 'Sign-in failed' }).waitFor()
    const hosts = new Set(ada.requests.filter((url) => url.startsWith('http')).map((url) => new URL(url).origin))
    assert.deepEqual([...hosts], [provider.issuer, application.origin])
    assert.deepEqual(
      printed.flatMap(({ mock: { calls } }) => calls.map((call) => call.arguments)),
      [],
    )
    await ada.close()
  })
})
