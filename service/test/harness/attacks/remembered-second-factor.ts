import { setTimeout as sleep } from 'node:timers/promises'
import { LocalProvider } from '../../../src/dev/local-provider.ts'
import { TestBrowser } from '../browser/test-browser.ts'
import { SignInWorld } from '../callers/sign-in-world.ts'
import { freePort } from '../installation/process.ts'
import type { Attack } from './attack.ts'

const client = { clientId: 'service', clientSecret: 'secret-of-the-test' }
const pauseMs = 5_000

/** An intruder sits at the browser of a person who has signed in with two factors, without having either factor. */
export const rememberedSecondFactor: Attack = {
  name: 'a sign-in at a provider that remembers the person counts as a fresh second factor',
  run: async () => {
    const port = await freePort()
    const pages = `http://localhost:${port}/console/sign-in/acme`
    const provider = await LocalProvider.open({
      clients: [{ ...client, redirectUris: [`${pages}/callback`], backchannelLogoutUri: `${pages}/logout` }],
    })
    const settings = {
      OIDC_PROVIDERS: `acme=${provider.issuer}`,
      OIDC_CLIENT_IDS: `acme=${client.clientId}`,
      OIDC_CLIENT_SECRETS: `acme=${client.clientSecret}`,
      OIDC_SECOND_FACTORS: 'acme=mfa',
    }
    const world = await SignInWorld.start(settings, port)
    const browser = await TestBrowser.launch()
    try {
      const tenantId = await world.installation.createTenant('A')
      await world.sql("update directory.tenant set identity_provider = 'acme' where id = $1", [tenantId])
      const { userId, secret } = await world.invite(tenantId)
      const { page, signInAtProvider } = await browser
        .person('grace', { baseURL: world.origin })
        .then((person) => ({ page: person.page, signInAtProvider: person.signInAtProvider.bind(person) }))
      await page.goto(`/console/invitation#${secret}`)
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.waitForURL((url) => url.origin === provider.issuer)
      await signInAtProvider('Grace Hopper', { secondFactor: true })
      await page.waitForURL('**/console/passkey')
      await sleep(pauseMs)
      await page.goto('/console/sign-in')
      await page.getByRole('button', { name: 'Continue with acme' }).click()
      await page.waitForURL('**/console')
      const rows = await world.installation.rows(
        `select extract(epoch from created_at - stepped_up_at)::float as age from directory.operator_session
           where user_id = $1 order by created_at desc limit 1`,
        [userId],
      )
      const { age } = rows[0] as { age: number | null }
      return {
        isDefended: age === null || age * 1_000 >= pauseMs - 1_000,
        observed: `${pauseMs / 1_000} s after the second factor, the new session says that it is ${age ?? 'no'} s old`,
      }
    } finally {
      await browser.close()
      await world.installation.end()
      await provider.stop()
    }
  },
}
