import { after } from 'node:test'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { shareInProcess } from '../installation/end-of-process.ts'
import { chromiumPath } from './chromium-path.ts'

/** Options for `describe` or `test` that skip without a browser. Dozens of pages take minutes on a busy machine. */
export const inBrowser = { skip: chromiumPath ? false : 'no Chromium on this machine', timeout: 1_800_000 }

/**
 * The machine's Chromium, in which several people work at the same time, each with their own cookies, cache and
 * connections. The files of a process share one, because starting it takes seconds of CPU.
 */
export class TestBrowser {
  readonly #browser: Browser
  readonly #contexts = new Set<BrowserContext>()

  private constructor(browser: Browser) {
    this.#browser = browser
  }

  static async launch(): Promise<TestBrowser> {
    if (!hasSharedEnd) return new TestBrowser(await launchChromium())
    // Replaces a browser that crashed in an earlier file.
    if (started && !started.isConnected()) shared = undefined
    shared ??= launchChromium()
    started = await shared
    return new TestBrowser(started)
  }

  /** Creates a person with their own cookies and their own authenticator. Paths are relative to `baseURL`. */
  async person(name: string, { baseURL }: { baseURL?: string } = {}): Promise<BrowserPerson> {
    const context = await this.context({ timezoneId: 'UTC', ...(baseURL !== undefined && { baseURL }) })
    const page = await context.newPage()
    await addAuthenticator(context, page)
    return new BrowserPerson(name, context, page)
  }

  async context(options: BrowserContextOptions): Promise<BrowserContext> {
    const context = await this.#browser.newContext(options)
    this.#contexts.add(context)
    context.on('close', () => this.#contexts.delete(context))
    return context
  }

  async close(): Promise<void> {
    await Promise.all([...this.#contexts].map((context) => context.close()))
    if (!hasSharedEnd) await this.#browser.close()
  }
}

let shared: Promise<Browser> | undefined
let started: Browser | undefined

function launchChromium(): Promise<Browser> {
  // The browser must not contact its vendor while a test records all requests.
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync']
  return chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox', '--disable-gpu', ...quiet] })
}

async function end(): Promise<void> {
  const ended = started
  shared = undefined
  started = undefined
  await ended?.close()
}

const isShared = shareInProcess({
  end,
  ports: () => [],
  changedRowsOfOthers: async () => [],
  programs: () => (started && chromiumPath !== undefined ? [chromiumPath] : []),
  leftOpen: () => (started?.contexts() ?? []).map(() => 'a person in the browser'),
})
/** False in a drill or a measurement, where nothing ends the shared browser. */
const hasSharedEnd = isShared || process.env['NODE_TEST_CONTEXT'] !== undefined
if (!isShared && hasSharedEnd) after(end)

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

  /** Signs in on the login page of a `LocalProvider`. Returns when the browser is back at the application. */
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

/** Adds an authenticator that creates passkeys and confirms every request at once, like a fingerprint reader. */
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
