import { setTimeout as sleep } from 'node:timers/promises'
import { InvestorToken } from '@investor-token/sdk'
import type { Page } from 'playwright-core'
import { TestBrowser } from '../../../../service/test/harness/browser/test-browser.ts'
import { OperatorClient } from '../../../../service/test/harness/callers/operator-client.ts'
import { startAllProcesses } from '../../../../service/test/harness/chain/all-processes.ts'
import { PacedChain } from '../../../../service/test/harness/chain/paced-chain.ts'
import { newOffering } from '../../../../service/test/harness/data/bodies.ts'
import { Fixtures } from '../../../../service/test/harness/data/fixtures.ts'
import { TestInstallation } from '../../../../service/test/harness/installation/test-installation.ts'
import { createShop, type ShopOptions } from '../../src/create-shop.ts'

/** The whole service with a chain and an open offering, shops that use it, and a browser. */
export class StorefrontWorld {
  readonly client: ShopOptions['client']
  /** The client of the shops, to read what a page does not show. */
  readonly service: InvestorToken
  readonly #installation: TestInstallation
  readonly #chain: PacedChain
  readonly #browser: TestBrowser
  readonly #operator: OperatorClient
  readonly #shops: { close: () => Promise<unknown> }[] = []
  /** Log lines of the shops, and errors in the browser. */
  readonly problems: string[] = []

  private constructor(world: {
    installation: TestInstallation
    chain: PacedChain
    browser: TestBrowser
    operator: OperatorClient
    client: ShopOptions['client']
  }) {
    this.#installation = world.installation
    this.#chain = world.chain
    this.#browser = world.browser
    this.#operator = world.operator
    this.client = world.client
    this.service = new InvestorToken(world.client)
  }

  static async create(): Promise<StorefrontWorld> {
    const [installation, chain, browser] = await Promise.all([
      TestInstallation.create(),
      PacedChain.start({ blockSeconds: 0.4 }),
      TestBrowser.launch(),
    ])
    const { api, operatorApi } = await startAllProcesses(installation, chain)
    const tenantId = await installation.createTenant('Quayside')
    const operator = await OperatorClient.create(installation, operatorApi, tenantId, 'admin')
    await new Fixtures(installation).signer(tenantId, chain)
    const credential = await installation.issueCredential(tenantId, { requestsPerMinute: 60_000 })
    const { clientId, clientSecret } = credential
    const client = { clientId, clientSecret, baseUrl: api.baseUrl }
    const world = new StorefrontWorld({ installation, chain, browser, operator, client })
    await world.openOffering({ name: 'Harbour Bond 2031' })
    return world
  }

  /** Creates and opens an offering on the chain. */
  async openOffering(terms: Partial<typeof newOffering>): Promise<void> {
    const { id } = (await this.#operator.post('/offerings', { ...newOffering, blockchain: 'anvil', ...terms })).body
    await this.#operator.post(`/offerings/${id}/open`)
  }

  /** Starts a shop and returns its URL. */
  async openShop(options: Partial<ShopOptions> = {}): Promise<string> {
    const shop = await createShop({
      client: this.client,
      hasSimulations: true,
      isSecure: false,
      pollMs: 250,
      log: (line) => this.problems.push(line),
      ...options,
    })
    this.#shops.push(shop)
    return shop.listen({ host: '127.0.0.1', port: 0 })
  }

  /** Opens a page in a new browser context without cookies. */
  async visit(address: string, options: { javaScriptEnabled?: boolean } = {}): Promise<Page> {
    const context = await this.#browser.context({
      baseURL: address,
      viewport: { width: 960, height: 720 },
      ...options,
    })
    const page = await context.newPage()
    // Pages wait for finalized blocks, on a machine that may be busy.
    page.setDefaultTimeout(60_000)
    page.on('pageerror', (error) => this.problems.push(error.message))
    page.on('console', (message) => {
      // Rejected forms are expected.
      const isRejection = message.text().includes('the server responded with a status of 4')
      if (message.type() === 'error' && !isRejection) this.problems.push(message.text())
    })
    return page
  }

  /** Returns the recorded event, which has the same content as a webhook. */
  async paymentEventOf(orderId: string) {
    for (let attempt = 0; attempt < 100; attempt += 1) {
      for await (const event of this.service.events.after(0, { type: 'order.paid' }))
        if (event.data['order_id'] === orderId) return event
      await sleep(100)
    }
    throw new Error('no order.paid event within 10 seconds')
  }

  async end(): Promise<void> {
    await this.#browser.close()
    await Promise.all(this.#shops.map((shop) => shop.close()))
    await this.#installation.end()
    await this.#chain.stop()
  }
}
