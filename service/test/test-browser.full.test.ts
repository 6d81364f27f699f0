import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { PageServer } from './harness/browser/page-server.ts'
import { type BrowserPerson, inBrowser, TestBrowser } from './harness/browser/test-browser.ts'

/** Browser behaviour that development on http://localhost relies on, and that a release of Chromium could change. */
describe('in a browser on http://localhost', inBrowser, async () => {
  const cookie = (name: string, sameSite: string) => `${name}=1; Path=/; Secure; HttpOnly; SameSite=${sameSite}`

  const headers = { 'set-cookie': [cookie('__Host-session', 'Strict'), cookie('__Host-sign-in', 'Lax')] }
  const application = await PageServer.open({
    '/sign-in': { headers },
    '/sign-in-and-redirect': { status: 303, headers: { ...headers, location: '/after-redirect' } },
    '/sign-in-and-refresh': {
      headers,
      html: '<!doctype html><title>Signed in</title><meta http-equiv="refresh" content="0; url=/after-refresh">',
    },
  })
  const browser = await TestBrowser.launch()
  after(async () => {
    await browser?.close()
    await application?.close()
  })

  const rp = { rpID: 'localhost', rpName: 'Investor Token', userName: 'ada@example.com' }
  // EdDSA, ES256, RS256. The default asks Node for ML-DSA, and Node warns that it is experimental.
  const supportedAlgorithmIDs = [-8, -7, -257]
  const create = async (person: BrowserPerson) => {
    const options = await generateRegistrationOptions({
      ...rp,
      supportedAlgorithmIDs,
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    const response = (await person.page.evaluate(`navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(${JSON.stringify(options)}),
    }).then((credential) => credential.toJSON())`)) as RegistrationResponseJSON
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: options.challenge,
      expectedOrigin: application.origin,
      expectedRPID: 'localhost',
      supportedAlgorithmIDs,
    })
    return registrationInfo?.credential
  }
  const use = async (person: BrowserPerson) => {
    const options = await generateAuthenticationOptions({ rpID: 'localhost', userVerification: 'required' })
    const response = (await person.page.evaluate(`navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(${JSON.stringify({ ...options, timeout: 2_000 })}),
    }).then((credential) => credential.toJSON())`)) as AuthenticationResponseJSON
    return { response, expectedChallenge: options.challenge, expectedOrigin: application.origin }
  }

  test('a person registers a passkey and signs in with it', async () => {
    const ada = await browser.person('ada', { baseURL: application.origin })
    await ada.page.goto('/passkeys')
    const credential = await create(ada)
    assert.ok(credential)
    // Visits another site in between: the authenticator belongs to the tab.
    await ada.page.goto(`http://127.0.0.1:${application.port}/elsewhere`)
    await ada.page.goto('/passkeys')
    const used = { ...(await use(ada)), expectedRPID: 'localhost', credential }
    const { verified, authenticationInfo } = await verifyAuthenticationResponse(used)
    assert.equal(verified, true)
    assert.equal(authenticationInfo.userVerified, true)
    assert.ok(authenticationInfo.newCounter > credential.counter)
    await ada.close()
  })

  test('a person does not have the passkey of another', async () => {
    const [ada, grace] = [
      await browser.person('ada', { baseURL: application.origin }),
      await browser.person('grace', { baseURL: application.origin }),
    ]
    await Promise.all([ada.page.goto('/'), grace.page.goto('/')])
    await create(ada)
    await assert.rejects(use(grace), /NotAllowedError/)
    await Promise.all([ada.close(), grace.close()])
  })

  test('a page on an IP address cannot use passkeys', async () => {
    const ada = await browser.person('ada')
    await ada.page.goto(`http://127.0.0.1:${application.port}/`)
    await assert.rejects(create(ada), /SecurityError/)
    await ada.close()
  })

  test('cookies with __Host- and Secure are stored and sent', async () => {
    const ada = await browser.person('ada', { baseURL: application.origin })
    await ada.page.goto('/sign-in')
    await ada.page.goto('/home')
    assert.equal(application.at('/home').at(-1)?.cookie, '__Host-session=1; __Host-sign-in=1')
    await ada.close()
  })

  test('SameSite=Strict cookies are not sent after a redirect that another site started', async () => {
    const ada = await browser.person('ada')
    const elsewhere = `http://127.0.0.1:${application.port}/elsewhere`
    for (const path of ['/sign-in-and-redirect', '/sign-in-and-refresh']) {
      await ada.page.goto(elsewhere)
      await ada.page.evaluate(`location.href = '${application.origin}${path}'`)
      await ada.page.waitForURL(/after/)
    }
    assert.equal(application.at('/after-redirect')[0]?.cookie, '__Host-sign-in=1')
    assert.equal(application.at('/after-refresh')[0]?.cookie, '__Host-session=1; __Host-sign-in=1')
    await ada.close()
  })
})
