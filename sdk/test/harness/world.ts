import { individual } from '../../../service/test/harness/data/bodies.ts'
import { Fixtures } from '../../../service/test/harness/data/fixtures.ts'
import { sharedInstallation } from '../../../service/test/harness/installation/shared-installation.ts'
import type { TestInstallation } from '../../../service/test/harness/installation/test-installation.ts'
import { type ClientOptions, InvestorToken, type NewAccount } from '../../src/sdk.ts'
import { type ProxyOptions, TestProxy } from './test-proxy.ts'

/**
 * Creates a tenant of the real service with an open offering and a credential with all scopes. Uses the installation
 * that test files share, unless the test changes more than its tenant.
 */
export async function createSdkWorld(own?: TestInstallation) {
  const installation = own ?? (await sharedInstallation())
  const api = await installation.startApi()
  const tenantId = await installation.createTenant('SDK')
  const offeringId = await new Fixtures(installation).offering(tenantId)
  const { clientId, clientSecret } = await installation.issueCredential(tenantId, { requestsPerMinute: 60_000 })
  const credential = { clientId, clientSecret }
  const proxies: TestProxy[] = []
  return {
    installation,
    api,
    tenantId,
    offeringId,
    credential,
    client: (options: Partial<ClientOptions> = {}) =>
      new InvestorToken({ ...credential, baseUrl: api.baseUrl, ...options }),
    /** Starts a proxy in front of the service; `end` stops it. */
    proxy: async (options: ProxyOptions = {}) => {
      const proxy = await TestProxy.start(api.baseUrl, options)
      proxies.push(proxy)
      return proxy
    },
    end: async () => {
      await Promise.all(proxies.map((proxy) => proxy.end()))
      await installation.end()
    },
  }
}

const { kyc: _, ...withoutApproval } = individual
export const person = { ...withoutApproval, type: 'INDIVIDUAL' } satisfies NewAccount
