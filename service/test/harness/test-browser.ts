import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

export const chromiumPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  existsSync,
)

/** For `describe` or `test`: skips where there is no browser. Dozens of pages take minutes on a busy machine. */
export const inBrowser = { skip: chromiumPath ? false : 'no Chromium on this machine', timeout: 1_800_000 }

/** The machine's Chromium, in which several people work at the same time. */
export class TestBrowser {
  readonly #browser: Browser

  private constructor(browser: Browser) {
    this.#browser = browser
  }

  static async launch(): Promise<TestBrowser> {
    const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update']
    return new TestBrowser(await chromium.launch({ executablePath: chromiumPath ?? '', args }))
  }

  /** A person with their own cookies and their own authenticator. Paths are relative to `baseURL`. */
  async person(name: string, { baseURL }: { baseURL?: string } = {}): Promise<BrowserPerson> {
    const context = await this.#browser.newContext({ timezoneId: 'UTC', ...(baseURL !== undefined && { baseURL }) })
    const page = await context.newPage()
    await addAuthenticator(context, page)
    return new BrowserPerson(name, context, page)
  }

  async close(): Promise<void> {
    await this.#browser.close()
  }
}

export class BrowserPerson {
  readonly name: string
  /** The only page with the authenticator: Chromium adds one to a tab, not to a profile. */
  readonly page: Page
  /** The URL of each request, redirects included. */
  readonly requests: string[] = []
  readonly #context: BrowserContext

  constructor(name: string, context: BrowserContext, page: Page) {
    this.name = name
    this.page = page
    this.#context = context
    page.on('request', (request) => this.requests.push(request.url()))
  }

  /** On the login page of a `LocalProvider`. Returns when the browser is back at the application. */
  async signInAtProvider(fullName: string, { secondFactor = false } = {}): Promise<void> {
    const provider = new URL(this.page.url()).origin
    await this.page.getByRole('checkbox', { name: 'With a second factor' }).setChecked(secondFactor)
    await this.page.getByRole('button', { name: fullName, exact: true }).click()
    await this.page.waitForURL((url) => url.origin !== provider)
  }

  async close(): Promise<void> {
    await this.#context.close()
  }
}

/** Like the fingerprint reader of a laptop: it creates passkeys and confirms every request at once. */
async function addAuthenticator(context: BrowserContext, page: Page): Promise<void> {
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}
