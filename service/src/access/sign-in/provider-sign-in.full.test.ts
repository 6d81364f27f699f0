import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type BrowserPerson, inBrowser, TestBrowser } from '../../../test/harness/browser/test-browser.ts'
import { SignInWorld } from '../../../test/harness/callers/sign-in-world.ts'
import { freePort } from '../../../test/harness/installation/process.ts'
import { pluck } from '../../../test/harness/pluck.ts'
import { LocalProvider } from '../../dev/local-provider.ts'

describe('signing in at an identity provider, in a browser', inBrowser, async () => {
  const port = await freePort()
  const pages = `http://localhost:${port}/console/sign-in/acme`
  const client = { clientId: 'service', clientSecret: 'secret-of-the-test' }
  const provider = await LocalProvider.open({
    clients: [{ ...client, redirectUris: [`${pages}/callback`], backchannelLogoutUri: `${pages}/logout` }],
  })
  const world = await SignInWorld.start(
    {
      OIDC_PROVIDERS: `acme=${provider.issuer}`,
      OIDC_CLIENT_IDS: `acme=${client.clientId}`,
      OIDC_CLIENT_SECRETS: `acme=${client.clientSecret}`,
      OIDC_SECOND_FACTORS: 'acme=mfa',
    },
    port,
  )
  const tenantId = await world.installation.createTenant('A')
  await world.sql("update directory.tenant set identity_provider = 'acme' where id = $1", [tenantId])
  const browser = await TestBrowser.launch()
  after(() => browser.close())
  after(() => world.installation.end())
  after(() => provider.stop())

  const open = (name: string) => browser.person(name, { baseURL: world.origin })
  const status = ({ page }: BrowserPerson) => page.locator('h1').innerText()
  const sessions = async (userId: string): Promise<{ is_live: boolean; stepped_up_at: Date | null }[]> => {
    return world.installation.rows(
      `select revoked_at is null as is_live, stepped_up_at from directory.operator_session
       where user_id = $1 order by created_at`,
      [userId],
    )
  }

  async function accept(person: BrowserPerson, fullName: string, secret: string): Promise<void> {
    await person.page.goto(`/console/invitation#${secret}`)
    await person.page.getByRole('button', { name: 'Continue' }).click()
    await person.page.waitForURL((url) => url.origin === provider.issuer)
    await person.signInAtProvider(fullName)
  }

  test('an invited person signs in at the provider, creates a passkey and comes back later', async () => {
    const ada = await open('ada')
    const { userId, secret } = await world.invite(tenantId)
    await accept(ada, 'Ada Lovelace', secret)
    await ada.page.waitForURL('**/console/passkey')
    assert.ok(!ada.page.url().includes(secret))
    await ada.page.getByRole('button', { name: 'Create a passkey' }).click()
    await ada.page.getByText('You have 1 passkey.').waitFor()
    await ada.page.goto('/console')
    await ada.page.getByText('Nothing waits for you.').waitFor()
    await ada.page.getByRole('button', { name: /account menu$/ }).click()
    await ada.page.getByRole('menuitem', { name: 'Sign out' }).click()
    // Only the provider may let her in, so that it can also lock her out.
    await ada.page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await ada.page.getByText('This passkey cannot sign in here.').waitFor()
    await ada.page.getByRole('button', { name: 'Continue with acme' }).click()
    // The provider remembers her.
    await ada.page.waitForURL('**/console')
    assert.deepEqual(pluck(await sessions(userId), 'is_live'), [false, true])

    const again = await open('again')
    await again.page.goto(`/console/invitation#${secret}`)
    await again.page.getByText('This link was used or has expired.').waitFor()
    await Promise.all([ada.close(), again.close()])
  })

  test('a person without an invitation is rejected with the reason, and one person cannot be two users of a tenant', async () => {
    const grace = await open('grace')
    await grace.page.goto('/console/sign-in')
    await grace.page.getByRole('button', { name: 'Continue with acme' }).click()
    await grace.page.waitForURL((url) => url.origin === provider.issuer)
    await grace.signInAtProvider('Grace Hopper')
    assert.equal(await status(grace), 'You are not signed in')
    await grace.close()

    const [one, two] = [await open('one'), await open('two')]
    await accept(one, 'Ada Lovelace', (await world.invite(tenantId)).secret)
    assert.equal(await status(one), 'You are not signed in')
    await one.page.getByText('You are already another user of this tenant').waitFor()
    await Promise.all([one.close(), two.close()])
  })

  test('a second factor at the provider counts as a step-up, a password alone does not', async () => {
    const other = await world.installation.createTenant('B')
    await world.sql("update directory.tenant set identity_provider = 'acme' where id = $1", [other])
    const { userId, secret } = await world.invite(other)
    const grace = await open('grace')
    await accept(grace, 'Grace Hopper', secret)
    await grace.page.waitForURL('**/console/passkey')
    await grace.close()
    const strong = await open('strong')
    await strong.page.goto('/console/sign-in')
    await strong.page.getByRole('button', { name: 'Continue with acme' }).click()
    await strong.page.waitForURL((url) => url.origin === provider.issuer)
    await strong.signInAtProvider('Grace Hopper', { secondFactor: true })
    await strong.page.waitForURL('**/console')
    const found = await sessions(userId)
    const steppedUp = found.map(({ stepped_up_at: at }) => at !== null)
    assert.deepEqual(steppedUp, [false, true])
    await strong.close()

    // The provider locks her out: its logout token ends both sessions at once.
    await provider.endSessions('grace')
    assert.deepEqual(pluck(await sessions(userId), 'is_live'), [false, false])
  })

  test('a provider that remembers a person signs them in, but vouches for no factor that was not used now', async () => {
    const other = await world.installation.createTenant('C')
    await world.sql("update directory.tenant set identity_provider = 'acme' where id = $1", [other])
    const { userId, secret } = await world.invite(other)
    const grace = await open('remembered')
    await grace.page.goto(`/console/invitation#${secret}`)
    await grace.page.getByRole('button', { name: 'Continue' }).click()
    await grace.page.waitForURL((url) => url.origin === provider.issuer)
    await grace.signInAtProvider('Grace Hopper', { secondFactor: true })
    await grace.page.waitForURL('**/console/passkey')
    // The person has other users too, and signs in as the first one.
    const newest = async () => {
      const rows = await world.installation.rows(
        `select stepped_up_at, created_at from directory.operator_session
         where identity_id = (select identity_id from directory.operator_user where id = $1)
         order by created_at desc limit 1`,
        [userId],
      )
      return rows[0] as { stepped_up_at: Date | null; created_at: Date }
    }
    const first = await newest()
    await sleep(2_500)
    const signInAgain = async (query = '') => {
      await grace.page.goto(`/console/sign-in${query}`)
      await grace.page.getByRole('button', { name: 'Continue with acme' }).click()
    }
    await signInAgain()
    await grace.page.waitForURL('**/console')
    const again = await newest()
    assert.ok(again.created_at > first.created_at)
    assert.deepEqual(again.stepped_up_at, first.stepped_up_at, 'the time at the provider')

    // Simulates five minutes passing: no passkey can be registered then, and a step-up asks for both factors.
    await world.sql(
      `update directory.operator_session set authenticated_at = authenticated_at - interval '6 minutes'
       where identity_id = (select identity_id from directory.operator_user where id = $1)`,
      [userId],
    )
    await grace.page.goto('/console/passkey')
    await grace.page.getByRole('button', { name: 'Create a passkey' }).click()
    await grace.page.waitForURL('**/console/sign-in?step_up=true&return_to=**')
    await grace.page.getByRole('button', { name: 'Continue with acme' }).click()
    await grace.page.waitForURL((url) => url.origin === provider.issuer)
    await grace.signInAtProvider('Grace Hopper')
    assert.equal(await status(grace), 'You are not signed in')
    await grace.page.getByText('The provider acme must send one of mfa in the claim acr or amr').waitFor()
    await signInAgain('?step_up=true')
    await grace.page.waitForURL((url) => url.origin === provider.issuer)
    await grace.signInAtProvider('Grace Hopper', { secondFactor: true })
    await grace.page.waitForURL('**/console')
    const last = await newest()
    assert.ok(last.stepped_up_at && first.stepped_up_at && last.stepped_up_at > first.stepped_up_at)
    await grace.close()
  })

  test('a callback that this browser did not start, and a forged logout token, are rejected', async () => {
    const callback = await fetch(`${world.origin}/console/sign-in/acme/callback?code=x&state=y`)
    assert.equal(callback.status, 400)
    assert.match(await callback.text(), /was not started in this browser/)
    const attempt = { provider: 'acme', state: 'a', nonce: 'b', codeVerifier: 'c' }
    const cookie = `__Host-sign-in=${Buffer.from(JSON.stringify(attempt)).toString('base64url')}`
    const forged = await fetch(`${world.origin}/console/sign-in/acme/callback?code=x&state=y`, { headers: { cookie } })
    assert.equal(forged.status, 400)
    const signsIn = forged.headers.getSetCookie().some((value) => value.startsWith('__Host-session='))
    assert.equal(signsIn, false)
    for (const token of ['', 'x.y.z', `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`]) {
      const logout = await fetch(`${world.origin}/console/sign-in/acme/logout`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `logout_token=${token}`,
      })
      assert.equal(logout.status, 400)
    }
  })

  test('a person of a provider cannot sign in with a passkey alone, and a passkey cannot accept their invitation', async () => {
    const { secret } = await world.invite(tenantId)
    const { response } = await world.accept(secret)
    assert.equal(`${response.status} ${response.body.error.code}`, '409 wrong_sign_in_method')
  })
})
