import { LocalProvider } from '../../../src/dev/local-provider.ts'
import type { BrowserPerson } from './test-browser.ts'

/** An identity provider for the console at a port of localhost, and the settings with which the service uses it. */
export class AcmeProvider {
  readonly settings: Record<string, string>
  readonly #provider: LocalProvider

  private constructor(provider: LocalProvider, { clientId, clientSecret }: typeof client) {
    this.#provider = provider
    this.settings = {
      OIDC_PROVIDERS: `acme=${provider.issuer}`,
      OIDC_CLIENT_IDS: `acme=${clientId}`,
      OIDC_CLIENT_SECRETS: `acme=${clientSecret}`,
    }
  }

  static async open(consolePort: number): Promise<AcmeProvider> {
    const pages = `http://localhost:${consolePort}/console/sign-in/acme`
    const uris = { redirectUris: [`${pages}/callback`], backchannelLogoutUri: `${pages}/logout` }
    return new AcmeProvider(await LocalProvider.open({ clients: [{ ...client, ...uris }] }), client)
  }

  /** Lets a person accept an invitation and sign in here. Returns when the console asks for a passkey. */
  async accept(person: BrowserPerson, secret: string, fullName: string, options?: { secondFactor: boolean }) {
    const { page } = person
    await page.goto(`/console/invitation#${secret}`)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL((url) => url.origin === this.#provider.issuer)
    await person.signInAtProvider(fullName, options)
    await page.waitForURL('**/console/passkey')
  }

  /** Lets a person accept an invitation and create a passkey. */
  async join(person: BrowserPerson, secret: string, fullName: string): Promise<void> {
    await this.accept(person, secret, fullName)
    await person.page.getByRole('button', { name: 'Create a passkey' }).click()
    await person.page.getByText('You have 1 passkey.').waitFor()
  }

  stop(): Promise<void> {
    return this.#provider.stop()
  }
}

const client = { clientId: 'service', clientSecret: 'secret-of-the-test' }
