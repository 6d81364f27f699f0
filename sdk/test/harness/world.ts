import { Fixtures } from '../../../service/test/harness/data/fixtures.ts'
import type { RunningApi } from '../../../service/test/harness/installation/running-api.ts'
import { sharedInstallation } from '../../../service/test/harness/installation/shared-installation.ts'
import type { TestInstallation } from '../../../service/test/harness/installation/test-installation.ts'
import { type ClientOptions, InvestorToken, type NewAccount } from '../../src/sdk.ts'
import { type ProxyOptions, TestProxy } from './test-proxy.ts'

/** The real service with a tenant, an open offering and a credential with all scopes. */
export class SdkWorld {
  readonly installation: TestInstallation
  readonly api: RunningApi
  readonly tenantId: string
  readonly offeringId: string
  readonly credential: { clientId: string; clientSecret: string }

  readonly #proxies: TestProxy[] = []

  private constructor(world: Pick<SdkWorld, 'installation' | 'api' | 'tenantId' | 'offeringId' | 'credential'>) {
    this.installation = world.installation
    this.api = world.api
    this.tenantId = world.tenantId
    this.offeringId = world.offeringId
    this.credential = world.credential
  }

  /** Uses the installation that test files share, unless the test changes more than its tenant. */
  static async create({ installation: own }: { installation?: TestInstallation } = {}): Promise<SdkWorld> {
    const installation = own ?? (await sharedInstallation())
    const api = await installation.startApi()
    const tenantId = await installation.createTenant('SDK')
    const offeringId = await new Fixtures(installation).offering(tenantId)
    const { clientId, clientSecret } = await installation.issueCredential(tenantId, { requestsPerMinute: 60_000 })
    return new SdkWorld({ installation, api, tenantId, offeringId, credential: { clientId, clientSecret } })
  }

  client(options: Partial<ClientOptions> = {}): InvestorToken {
    return new InvestorToken({ ...this.credential, baseUrl: this.api.baseUrl, ...options })
  }

  /** Starts a proxy in front of the service; `end` stops it. */
  async proxy(options: ProxyOptions = {}): Promise<TestProxy> {
    const proxy = await TestProxy.start(this.api.baseUrl, options)
    this.#proxies.push(proxy)
    return proxy
  }

  async end(): Promise<void> {
    await Promise.all(this.#proxies.map((proxy) => proxy.end()))
    await this.installation.end()
  }
}

export const person = {
  type: 'INDIVIDUAL',
  individual: {
    firstName: 'Ada',
    lastName: 'Lovelace',
    birth_date: '1985-12-10',
    birth_place: 'Berlin',
    citizenship: 'DE',
    street: 'Hauptstr. 1',
    city: 'Berlin',
    zip: '10115',
    state: 'Berlin',
    country: 'DE',
    phone: '+4930123456',
  },
  communication: { email: 'ada@example.com', email_confirmed: true },
  bank_account: {
    account_holder: 'Ada Lovelace',
    bank: 'Testbank',
    bic: 'COBADEFFXXX',
    country: 'DE',
    currency: 'EUR',
    iban: 'DE89370400440532013000',
  },
  is_beneficiary: true,
} satisfies NewAccount
