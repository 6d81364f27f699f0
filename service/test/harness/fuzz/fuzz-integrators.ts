import fc from 'fast-check'
import type { IssuedCredential } from '../../../src/access/credentials/issue-credential.ts'
import { operations } from '../../../src/operations.ts'
import { integratorPrefixes } from '../../../src/platform/api/server/routes.ts'
import { signedToken } from '../callers/signed-token.ts'
import { createWorld, type World } from '../data/world.ts'
import type { ApiResponse } from '../installation/api-client.ts'
import type { TestInstallation } from '../installation/test-installation.ts'
import { camelCase, type FuzzRequest, oddAuthorizations } from './fuzz-requests.ts'
import { type FillIn, FuzzTenants, type FuzzWorld } from './fuzz-target.ts'
import { mostly } from './fuzz-values.ts'

const tenantCount = 3

/** Starts the integrator API and creates tenants with one resource of each kind. */
export async function startIntegrators(
  installation: TestInstallation,
  settings: Record<string, string>,
): Promise<FuzzWorld> {
  const api = await installation.startApiProcess(settings)
  const tenants: Tenant[] = []
  for (let count = 0; count < tenantCount; count++) {
    const world = await createWorld(installation, api, `tenant ${count}`)
    const credential = await installation.issueCredential(world.tenantId, { requestsPerMinute: 60_000 })
    tenants.push({ world, credential, token: { text: '', signedAt: Number.NEGATIVE_INFINITY }, created: new Map() })
  }
  return new Integrators(installation, api, tenants)
}

interface Tenant {
  world: World
  credential: IssuedCredential
  token: { text: string; signedAt: number }
  /** Ids of resources that the run created, by their path parameter. */
  created: Map<string, string[]>
}

class Integrators extends FuzzTenants<Tenant> implements FuzzWorld {
  readonly name = 'integrator'
  readonly operations = operations
  readonly prefixes = integratorPrefixes

  proofsOf() {
    const odd = fc.constantFrom(...oddAuthorizations).map((authorization) => ({ authorization }))
    const none = fc.constant<Record<string, string>>({})
    return mostly(fc.constant({ authorization: 'Bearer id:access_token' }), fc.oneof(none, odd), 20)
  }

  exampleOf(): undefined {
    return undefined
  }

  async fillInFor({ tenant, pick }: FuzzRequest): Promise<FillIn> {
    const accessToken = await this.#accessToken(this.tenant(tenant))
    return (kind, name) => {
      if (name === 'access_token') return accessToken
      const other = this.tenant(kind === 'foreign' ? tenant + 1 : tenant)
      if (name === 'client_id') return other.credential.clientId
      if (name === 'client_secret') return other.credential.clientSecret
      const all = [other.world[camelCase(name) as keyof World], ...(other.created.get(camelCase(name)) ?? [])]
      return all[pick % all.length] ?? other.world.accountId
    }
  }

  /** Remembers the newest fifty of a kind, which are enough. */
  addCreated({ operation, tenant }: FuzzRequest, _params: unknown, { status, body }: ApiResponse): void {
    const name = { createAccount: 'accountId', createOrder: 'orderId' }[operation.header.id]
    if (!name || status !== 201) return
    const { created } = this.tenant(tenant)
    created.set(name, [...(created.get(name) ?? []), body.id].slice(-50))
  }

  /** Signs a new token each minute, because a round can outlast a token. */
  async #accessToken(tenant: Tenant): Promise<string> {
    const now = performance.now()
    if (now - tenant.token.signedAt > 60_000) {
      const { world, credential } = tenant
      const caller = { tenantId: world.tenantId, clientId: credential.clientId }
      tenant.token = { text: await signedToken(this.installation, caller), signedAt: now }
    }
    return tenant.token.text
  }
}
