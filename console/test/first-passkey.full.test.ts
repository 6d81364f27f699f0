import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { LocalProvider } from '../../service/src/dev/local-provider.ts'
import { type BrowserPerson, inBrowser, TestBrowser } from '../../service/test/harness/browser/test-browser.ts'
import { SignInWorld } from '../../service/test/harness/callers/sign-in-world.ts'
import { freePort } from '../../service/test/harness/installation/process.ts'
import type { TestOperator } from '../../service/test/harness/installation/test-users.ts'

describe('the first confirmation of a person who signed in at a provider', inBrowser, () => {
  let provider: LocalProvider
  let world: SignInWorld
  let browser: TestBrowser
  let tenantId: string
  let clerk: TestOperator

  before(async () => {
    const port = await freePort()
    const client = { clientId: 'service', clientSecret: 'secret-of-the-test' }
    const redirectUris = [`http://localhost:${port}/console/sign-in/acme/callback`]
    provider = await LocalProvider.open({ clients: [{ ...client, redirectUris }] })
    const settings = {
      OIDC_PROVIDERS: `acme=${provider.issuer}`,
      OIDC_CLIENT_IDS: `acme=${client.clientId}`,
      OIDC_CLIENT_SECRETS: `acme=${client.clientSecret}`,
    }
    world = await SignInWorld.start(settings, port)
    tenantId = await world.installation.createTenant('A', { policies: 'default' })
    clerk = await world.installation.createOperator(tenantId)
    await world.sql("update directory.tenant set identity_provider = 'acme' where id = $1", [tenantId])
    browser = await TestBrowser.launch()
  })
  after(async () => {
    await browser?.close()
    await world?.installation.end()
    await provider?.stop()
  })

  /** Creates a pending proposal, and a person who accepted an invitation ten minutes ago and has no passkey. */
  async function scene(fullName: string): Promise<{ person: BrowserPerson; approvalId: string }> {
    const { secret } = await world.invite(tenantId)
    const person = await browser.person(fullName, { baseURL: world.origin })
    await person.page.goto(`/console/invitation#${secret}`)
    await person.page.getByRole('button', { name: 'Continue' }).click()
    await person.page.waitForURL((url) => url.origin === provider.issuer)
    await person.signInAtProvider(fullName)
    await person.page.waitForURL('**/console/passkey')
    await world.sql(
      `update directory.operator_session
       set created_at = now() - interval '10 minutes', authenticated_at = now() - interval '10 minutes',
           expires_at = expires_at - interval '10 minutes'
       where tenant_id = $1`,
      [tenantId],
    )
    const body = { name: 'Lise Meitner', email: `${crypto.randomUUID()}@example.com`, role: 'viewer' }
    const proposal = await world.api.call('POST', '/users', { token: clerk.token, body })
    assert.equal(proposal.status, 202, proposal.text)
    return { person, approvalId: proposal.body.approval_id }
  }

  /** Creates a passkey on its page, which does not accept a sign-in from ten minutes ago. */
  async function createPasskeyAfterSignIn(person: BrowserPerson, fullName: string): Promise<void> {
    const { page } = person
    await page.waitForURL('**/console/passkey')
    await page.getByRole('button', { name: 'Create a passkey' }).click()
    // The provider remembers the person but must ask again.
    await page.getByRole('button', { name: 'Continue with acme' }).click()
    await page.waitForURL((url) => url.origin === provider.issuer)
    await person.signInAtProvider(fullName)
    await page.waitForURL('**/console/passkey')
    await page.getByRole('button', { name: 'Create a passkey' }).click()
  }

  test('leads from the console to a passkey, by way of a new sign-in, and back to where they confirm', async () => {
    const { person, approvalId } = await scene('Ada Lovelace')
    const { page } = person
    await page.goto(`/console/approvals?open=directory-${approvalId}`)
    await page.getByRole('button', { name: /^Invite colleague/ }).click()
    const address = new URL(page.url())
    await page.getByRole('button', { name: 'Confirm', exact: true }).click()
    await page.getByRole('button', { name: 'Confirm with passkey' }).click()
    await page.getByText('You have no passkey yet').waitFor()
    await page.getByRole('button', { name: 'Create a passkey' }).click()
    await createPasskeyAfterSignIn(person, 'Ada Lovelace')
    await page.waitForURL(address.href)
    await page.getByRole('button', { name: 'Confirm', exact: true }).click()
    await page.getByRole('button', { name: 'Confirm with passkey' }).click()
    await page.getByRole('alert').filter({ hasText: 'Confirmed: Invite colleague' }).first().waitFor()
    await person.close()
  })

  test('leads from the page of one approval to a passkey and back as well', async () => {
    const { person, approvalId } = await scene('Grace Hopper')
    const { page } = person
    const path = `/console/approvals/directory/${approvalId}`
    await page.goto(path)
    await page.getByRole('button', { name: 'Confirm with passkey' }).click()
    await page.getByText('You have no passkey yet').waitFor()
    await page.getByRole('link', { name: 'Create a passkey' }).click()
    await createPasskeyAfterSignIn(person, 'Grace Hopper')
    await page.waitForURL(`**${path}`)
    await page.getByRole('button', { name: 'Confirm with passkey' }).click()
    await page.getByText('This change is confirmed.').waitFor()
    await person.close()
  })
})
